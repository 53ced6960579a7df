#!/bin/sh
# record.sh - record what the Linux fair (EEVDF) scheduler really does, with plain ftrace.
#
#   sudo ./record.sh [-o DIR] [-b KIB] [-c HEXMASK] [-l] [-p] -- COMMAND [ARG...]
#   sudo ./record.sh [-o DIR] [-b KIB] [-c HEXMASK] [-l] [-p] -t SECONDS
#   sudo ./record.sh -C            only remove leftovers of an interrupted run
#
#   -o DIR      output folder (default ./eevdf-trace)
#   -b KIB      ring buffer per CPU (default 16384)
#   -c HEXMASK  record these CPUs only, e.g. 4 = CPU 2 (default: all)
#   -l          light: record the state after each operation only (about 40 % fewer events)
#   -p          also record update_rq_clock (many more events)
#   -t SECONDS  record the running system for a while, run no command
#
# Needs: root, tracefs, CONFIG_FPROBE_EVENTS and CONFIG_PROBE_EVENTS_BTF_ARGS
# (exit-time arguments need Linux 6.9 or later). No perf, bpf, compiler or debug package.
# COMMAND sees EEVDF_TRACING_ON (path of the on/off switch) and EEVDF_MARKER (path of
# the marker file) in its environment; it may write 0/1 or text there.
# Everything lives in its own trace instance and event group "eevdf"; both are removed at the end.

usage() { sed -n '2,13p' "$0"; exit "$1"; }
OUT=./eevdf-trace; BUF=16384; MASK=; CLOCKEV=; SECS=; CLEANONLY=; LIGHT=
while getopts o:b:c:lpt:Ch f; do
	case $f in
	o) OUT=$OPTARG;; b) BUF=$OPTARG;; c) MASK=$OPTARG;; l) LIGHT=1;; p) CLOCKEV=1;; t) SECS=$OPTARG;; C) CLEANONLY=1;;
	h) usage 0;; *) usage 2;;
	esac
done
shift $((OPTIND - 1))
[ -n "$CLEANONLY$SECS" ] || [ $# -gt 0 ] || usage 2

T=/sys/kernel/tracing
[ -e $T/trace ] || T=/sys/kernel/debug/tracing
[ -e $T/trace ] || { T=/sys/kernel/tracing; mount -t tracefs tracefs $T 2>/dev/null; }
[ -w $T/dynamic_events ] || { echo "record.sh: need root and $T/dynamic_events" >&2; exit 1; }
G=eevdf
I=$T/instances/$G
SD=/sys/kernel/debug/sched
[ -e $SD/features ] || mount -t debugfs debugfs /sys/kernel/debug 2>/dev/null

cleanup() {
	L=$(mktemp)
	if [ -d $I ]; then
		echo 0 > $I/tracing_on
		echo 0 > $I/events/enable
		rmdir $I
	fi
	sed -n "s#^[a-z0-9]*:\($G/[^ ]*\).*#-:\1#p" $T/dynamic_events > "$L" 2>/dev/null
	while read -r x; do echo "$x" >> $T/dynamic_events; done < "$L"
	rm -f "$L"
}
cleanup 2>/dev/null
[ -n "$CLEANONLY" ] && exit 0
trap 'cleanup 2>/dev/null; exit 1' INT TERM HUP
mkdir -p "$OUT" || exit 1
M=$OUT/events.txt; : > "$M"

# --- which fields does this kernel have? ------------------------------------------------
try() { echo "$1" >> $T/dynamic_events 2>/dev/null; }
has() {	# has FUNC EXPR
	try "f:$G/zz_try $1 x=$2" || return 1
	echo "-:$G/zz_try" >> $T/dynamic_events
}
# list entries are name:member ; unknown members are left out and noted in events.txt
QALL="q_zv:zero_vruntime q_mv:min_vruntime q_av:avg_vruntime q_av:sum_w_vruntime q_al:avg_load q_al:sum_weight q_sh:sum_shift
 q_nr:nr_running q_nr:nr_queued q_hq:h_nr_queued q_hr:h_nr_runnable q_w:load.weight q_idle:idle q_inr:idle_nr_running q_curr:curr q_next:next
 q_root:tasks_timeline.rb_root.rb_node q_left:tasks_timeline.rb_leftmost q_tg:tg"
SALL="v:vruntime d:deadline lag:vlag prot:vprot sl:slice w:load.weight inv:load.inv_weight on:on_rq dly:sched_delayed
 rel:rel_deadline cus:custom_slice sum:sum_exec_runtime psum:prev_sum_exec_runtime ex:exec_start my:my_q"
QF=; SF=
for x in $QALL; do
	if has update_curr "cfs_rq->${x#*:}"; then QF="$QF $x"; else echo "field-missing cfs_rq ${x#*:}" >> "$M"; fi
done
for x in $SALL; do
	if has update_curr "cfs_rq->curr->${x#*:}"; then SF="$SF $x"; else echo "field-missing sched_entity ${x#*:}" >> "$M"; fi
done
members() { # members "LIST" PREFIX BASE-WITH-SEPARATOR
	r=; for x in $1; do r="$r $2${x%%:*}=$3${x#*:}"; done; echo "$r"
}
Q=$(members "$QF" "" "cfs_rq->")
RQ=$(members "$QF" "" "rq->cfs.")
S=$(members "$SF" "" "se->")
C=$(members "$SF" "c_" "cfs_rq->curr->")
PS=$(members "$SF" "" "p->se.")
R=$(members "$SF" "r_" "\$retval->")
CK="clk=cfs_rq->rq->clock_task qcpu=cfs_rq->rq->cpu"
RCK="clk=rq->clock_task qcpu=rq->cpu"
P="p=p pid=p->pid prio=p->prio sprio=p->static_prio pol=p->policy cpu=p->thread_info.cpu"
CUR="cur=rq->curr curpid=rq->curr->pid curfl=rq->curr->thread_info.flags:x64"

# --- events -----------------------------------------------------------------------------
NEV=0
ev() {	# ev NAME PLACE ARGS...   (f: function entry/exit)
	n=$1; pl=$2; shift 2
	if try "f:$G/$n $pl $*"; then NEV=$((NEV + 1)); echo "event $n $pl" >> "$M"; return 0; fi
	echo "event-missing $n $pl" >> "$M"; return 1
}
both() { # both FUNC ENTRYARGS | EXIT adds the same args read after the call
	n=$1; shift
	[ -n "$LIGHT" ] || ev "$n" "$n" "$*"
	ev "${n}_ret" "$n%return" "$*"
}
tp() { # tracepoint probe
	n=$1; t=$2; shift 2
	if try "t:$G/$n $t $*"; then NEV=$((NEV + 1)); echo "event $n tracepoint:$t" >> "$M"; else echo "event-missing $n tracepoint:$t" >> "$M"; fi
}
# entity / run queue level
both update_curr "q=cfs_rq $CK $Q $C cur=cfs_rq->rq->curr curpid=cfs_rq->rq->curr->pid"
both enqueue_entity "q=cfs_rq se=se flags=flags:x32 $CK $Q $S"
ev dequeue_entity dequeue_entity "q=cfs_rq se=se flags=flags:x32 $CK $Q $S"
ev dequeue_entity_ret dequeue_entity%return "ret=\$retval q=cfs_rq se=se flags=flags:x32 $CK $Q $S"
both place_entity "q=cfs_rq se=se flags=flags:x32 $CK $Q $S"
both __enqueue_entity "q=cfs_rq se=se $Q $S"
both __dequeue_entity "q=cfs_rq se=se $Q $S"
both set_next_entity "q=cfs_rq se=se $CK $Q $S"
ev put_prev_entity put_prev_entity "q=cfs_rq se=prev $CK $Q $(members "$SF" "" "prev->")"
ev put_prev_entity_ret put_prev_entity%return "q=cfs_rq se=prev $CK $Q $(members "$SF" "" "prev->")"
ev pick_eevdf pick_eevdf "q=cfs_rq $CK $Q $C"
ev pick_eevdf_ret pick_eevdf%return "ret=\$retval q=cfs_rq $Q $R"
both reweight_entity "q=cfs_rq se=se weight=weight $CK $Q $S"
both requeue_delayed_entity "se=se q=se->cfs_rq clk=se->cfs_rq->rq->clock_task qcpu=se->cfs_rq->rq->cpu $(members "$QF" "" "se->cfs_rq->") $S"
both avg_vruntime "q=cfs_rq $Q $C"
ev update_entity_lag_ret update_entity_lag%return "q=cfs_rq se=se $Q $S"
ev set_next_buddy set_next_buddy "se=se q=se->cfs_rq"
ev update_cfs_group update_cfs_group "se=se my=se->my_q w=se->load.weight gq_w=se->my_q->load.weight gq_la=se->my_q->avg.load_avg gq_con=se->my_q->tg_load_avg_contrib tg=se->my_q->tg tg_la=se->my_q->tg->load_avg.counter tg_sh=se->my_q->tg->shares grp=se->my_q->tg->css.cgroup->kn->name:string"
ev dequeue_entities dequeue_entities "se=se flags=flags:x32 $RCK nr=rq->nr_running $S"
ev dequeue_entities_ret dequeue_entities%return "ret=\$retval:s32 flags=flags:x32 $RCK nr=rq->nr_running"
# task level
both enqueue_task_fair "rq=rq $P flags=flags:x32 $RCK nr=rq->nr_running $CUR $PS"
ev dequeue_task_fair dequeue_task_fair "rq=rq $P flags=flags:x32 $RCK nr=rq->nr_running $CUR $PS"
ev dequeue_task_fair_ret dequeue_task_fair%return "ret=\$retval rq=rq p=p $RCK nr=rq->nr_running"
both check_preempt_wakeup_fair "rq=rq $P wflags=wake_flags:x32 $RCK $CUR $RQ $PS"
both task_tick_fair "rq=rq p=curr pid=curr->pid queued=queued $RCK nr=rq->nr_running $CUR"
ev yield_task_fair yield_task_fair "rq=rq $RCK nr=rq->nr_running $CUR $RQ $(members "$SF" "" "rq->curr->se.")"
ev yield_task_fair_ret yield_task_fair%return "rq=rq $RCK nr=rq->nr_running $CUR $RQ $(members "$SF" "" "rq->curr->se.")"
ev pick_task_fair pick_task_fair "rq=rq $RCK nr=rq->nr_running"
ev pick_task_fair_ret pick_task_fair%return "p=\$retval pid=\$retval->pid $RCK nr=rq->nr_running"
ev set_next_task_fair set_next_task_fair "rq=rq $P first=first $RCK"
ev put_prev_task_fair put_prev_task_fair "rq=rq p=prev pid=prev->pid $RCK"
ev resched_curr resched_curr "rq=rq $CUR $RCK"
ev reweight_task_fair reweight_task_fair "rq=rq $P nw=lw->weight ninv=lw->inv_weight"
ev set_user_nice set_user_nice "$P nice=nice"
ev sched_setscheduler_attr __sched_setscheduler "$P apol=attr->sched_policy anice=attr->sched_nice aruntime=attr->sched_runtime aflags=attr->sched_flags:x64"
ev sched_fork_ret sched_fork%return "$P $PS"
both attach_entity_cfs_rq "se=se q=se->cfs_rq $S"
both switched_to_fair "rq=rq $P $RCK $PS"
both switched_from_fair "rq=rq $P $RCK $PS"
both migrate_task_rq_fair "$P new_cpu=new_cpu $PS"
both dl_server_update_idle_time "rq=rq p=p pid=p->pid ex=p->se.exec_start $RCK"
both throttle_cfs_rq "q=cfs_rq $CK $Q"
both unthrottle_cfs_rq "q=cfs_rq $CK $Q"
ev sched_balance_newidle sched_balance_newidle "rq=this_rq clk=this_rq->clock_task nr=this_rq->nr_running"
ev sched_balance_newidle_ret sched_balance_newidle%return "ret=\$retval rq=this_rq clk=this_rq->clock_task nr=this_rq->nr_running"
ev detach_task detach_task "$P src=env->src_cpu dst=env->dst_cpu"
ev set_group_shares __sched_group_set_shares "tg=tg shares=shares old=tg->shares"
ev move_group sched_move_task "p=tsk pid=tsk->pid tg=tsk->sched_task_group grp=tsk->sched_task_group->css.cgroup->kn->name:string"
[ -n "$CLOCKEV" ] && ev update_rq_clock_ret update_rq_clock%return "rq=rq clock=rq->clock $RCK"
# tracepoints with the task pointers, so that addresses can be mapped to tasks
tp sw sched_switch "prev=prev ppid=prev->pid pstate=prev_state ppol=prev->policy pv=prev->se.vruntime pd=prev->se.deadline psl=prev->se.slice pw=prev->se.load.weight pon=prev->se.on_rq pdly=prev->se.sched_delayed psum=prev->se.sum_exec_runtime next=next npid=next->pid npol=next->policy nv=next->se.vruntime nd=next->se.deadline nsl=next->se.slice nw=next->se.load.weight nsum=next->se.sum_exec_runtime"
tp wk sched_wakeup "$P $PS"
tp wknew sched_wakeup_new "$P $PS"
STD="sched/sched_switch sched/sched_waking sched/sched_wakeup sched/sched_wakeup_new sched/sched_process_fork sched/sched_process_exit sched/sched_migrate_task sched/sched_stat_runtime"

# --- facts about this machine -----------------------------------------------------------
hz() {
	z=$(zcat /proc/config.gz 2>/dev/null | sed -n 's/^CONFIG_HZ=//p')
	[ -n "$z" ] || z=$(sed -n 's/^CONFIG_HZ=//p' "/boot/config-$(uname -r)" 2>/dev/null)
	if [ -z "$z" ] && [ -r /proc/timer_list ]; then
		a=$(sed -n 's/^now at \([0-9]*\) nsecs/\1/p;s/^jiffies: //p' /proc/timer_list | head -n 2 | tr '\n' ' ')
		sleep 1
		b=$(sed -n 's/^now at \([0-9]*\) nsecs/\1/p;s/^jiffies: //p' /proc/timer_list | head -n 2 | tr '\n' ' ')
		z=$(echo "$a $b" | awk '{ h=($4-$2)*1e9/($3-$1); n=split("100 250 300 1000",c," "); for(i=1;i<=n;i++) if (h>c[i]*0.9&&h<c[i]*1.1) {print c[i]; exit}; print h }')
	fi
	echo "${z:-unknown}"
}
{
	echo "kernel: $(uname -r) $(uname -v)"
	echo "machine: $(uname -m)"
	echo "hz: $(hz)"
	echo "cpus_online: $(cat /sys/devices/system/cpu/online 2>/dev/null)"
	echo "base_slice_ns: $(cat $SD/base_slice_ns 2>/dev/null)"
	echo "tunable_scaling: $(cat $SD/tunable_scaling 2>/dev/null)"
	echo "preempt: $(cat $SD/preempt 2>/dev/null)"
	echo "features: $(cat $SD/features 2>/dev/null)"
	echo "autogroup: $(cat /proc/sys/kernel/sched_autogroup_enabled 2>/dev/null)"
	echo "clocksource: $(cat /sys/devices/system/clocksource/clocksource0/current_clocksource 2>/dev/null)"
	echo "cmdline: $(cat /proc/cmdline)"
	echo "command: $*${SECS:+ (system for $SECS s)}"
} > "$OUT/meta.txt"
cat $T/dynamic_events > "$OUT/dynamic_events.txt"

# --- record -----------------------------------------------------------------------------
mkdir $I || { cleanup; exit 1; }
echo 0 > $I/tracing_on
echo $BUF > $I/buffer_size_kb
[ -n "$MASK" ] && echo "$MASK" > $I/tracing_cpumask
echo nop > $I/current_tracer
echo 0 > $I/options/overwrite
echo 'my != 0' > $I/events/$G/update_cfs_group/filter 2>/dev/null
for x in $STD; do echo 1 > $I/events/$x/enable 2>/dev/null || echo "event-missing $x" >> "$M"; done
echo 1 > $I/events/$G/enable
EEVDF_TRACING_ON=$I/tracing_on; EEVDF_MARKER=$I/trace_marker; export EEVDF_TRACING_ON EEVDF_MARKER
cat $SD/debug > "$OUT/debug-start.txt" 2>/dev/null
if [ -n "$SECS" ]; then
	echo 1 > $I/tracing_on; sleep "$SECS"; rc=0
else
	echo 1 > $I/tracing_on; "$@"; rc=$?
fi
echo 0 > $I/tracing_on
cat $SD/debug > "$OUT/debug-end.txt" 2>/dev/null
echo 0 > $I/events/enable
cat $I/trace > "$OUT/trace.txt"
for s in $I/per_cpu/cpu*; do
	awk -v c="${s##*/}" '/^(entries|overrun|commit overrun|dropped events)/ { printf "%s_%s ", c, $0 } END { print "" }' "$s/stats"
done > "$OUT/buffer-stats.txt"
{ echo "events_defined: $NEV"; echo "exit_status: $rc"; } >> "$OUT/meta.txt"
cleanup
grep -q -v -E 'overrun: 0 .*dropped events: 0' "$OUT/buffer-stats.txt" && echo "record.sh: warning: events were lost, see $OUT/buffer-stats.txt (use -b)" >&2
exit $rc
