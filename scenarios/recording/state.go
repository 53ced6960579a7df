package recording

import "zerolag/scheduler"

// entityField is one recorded integer of an entity. One that is part of the
// structure (who is where, with which weight) is not taken over from the
// recording after a difference: the machine must stay whole.
type entityField struct {
	name      string
	signed    bool
	structure bool
	get       func(s *scheduler.EntityState) uint64
	set       func(s *scheduler.EntityState, v uint64)
}

var entityFields = []entityField{
	{"v", false, false, func(s *scheduler.EntityState) uint64 { return uint64(s.Vruntime) }, func(s *scheduler.EntityState, v uint64) { s.Vruntime = scheduler.Vtime(v) }},
	{"d", false, false, func(s *scheduler.EntityState) uint64 { return uint64(s.Deadline) }, func(s *scheduler.EntityState, v uint64) { s.Deadline = scheduler.Vtime(v) }},
	{"lag", true, false, func(s *scheduler.EntityState) uint64 { return uint64(s.Vlag) }, func(s *scheduler.EntityState, v uint64) { s.Vlag = int64(v) }},
	{"prot", false, false, func(s *scheduler.EntityState) uint64 { return uint64(s.Vprot) }, func(s *scheduler.EntityState, v uint64) { s.Vprot = scheduler.Vtime(v) }},
	{"sl", false, false, func(s *scheduler.EntityState) uint64 { return s.Slice }, func(s *scheduler.EntityState, v uint64) { s.Slice = v }},
	{"w", false, true, func(s *scheduler.EntityState) uint64 { return s.Weight }, func(s *scheduler.EntityState, v uint64) { s.Weight = v }},
	{"inv", false, false, func(s *scheduler.EntityState) uint64 { return uint64(s.Inverse) }, func(s *scheduler.EntityState, v uint64) { s.Inverse = uint32(v) }},
	{"on", false, true, func(s *scheduler.EntityState) uint64 { return bit(s.OnRQ) }, func(s *scheduler.EntityState, v uint64) { s.OnRQ = v != 0 }},
	{"dly", false, true, func(s *scheduler.EntityState) uint64 { return bit(s.Delayed) }, func(s *scheduler.EntityState, v uint64) { s.Delayed = v != 0 }},
	{"rel", false, false, func(s *scheduler.EntityState) uint64 { return bit(s.RelDeadline) }, func(s *scheduler.EntityState, v uint64) { s.RelDeadline = v != 0 }},
	{"cus", false, false, func(s *scheduler.EntityState) uint64 { return bit(s.Custom) }, func(s *scheduler.EntityState, v uint64) { s.Custom = v != 0 }},
	{"sum", false, false, func(s *scheduler.EntityState) uint64 { return s.SumExec }, func(s *scheduler.EntityState, v uint64) { s.SumExec = v }},
	{"psum", false, false, func(s *scheduler.EntityState) uint64 { return s.PrevSumExec }, func(s *scheduler.EntityState, v uint64) { s.PrevSumExec = v }},
	{"ex", false, false, func(s *scheduler.EntityState) uint64 { return s.ExecStart }, func(s *scheduler.EntityState, v uint64) { s.ExecStart = v }},
}

// queueField is one recorded integer of a queue. set is nil for what follows
// from the tree.
type queueField struct {
	name      string
	signed    bool
	structure bool
	get       func(p *Player, s *scheduler.QueueState) uint64
	set       func(p *Player, s *scheduler.QueueState, v uint64)
}

var queueFields = []queueField{
	{
		"q_zv", false, false, func(_ *Player, s *scheduler.QueueState) uint64 { return uint64(s.Zero) },
		func(_ *Player, s *scheduler.QueueState, v uint64) { s.Zero = scheduler.Vtime(v) },
	},
	{"q_av", true, true, func(_ *Player, s *scheduler.QueueState) uint64 { return uint64(s.Sum) }, nil},
	{"q_al", false, true, func(_ *Player, s *scheduler.QueueState) uint64 { return s.SumWeight }, nil},
	{"q_nr", false, true, func(_ *Player, s *scheduler.QueueState) uint64 { return uint64(s.Nr) }, func(_ *Player, s *scheduler.QueueState, v uint64) { s.Nr = int32(v) }},
	{"q_hq", false, false, func(_ *Player, s *scheduler.QueueState) uint64 { return uint64(s.HQueued) }, func(_ *Player, s *scheduler.QueueState, v uint64) { s.HQueued = int32(v) }},
	{"q_hr", false, false, func(_ *Player, s *scheduler.QueueState) uint64 { return uint64(s.HRunnable) }, func(_ *Player, s *scheduler.QueueState, v uint64) { s.HRunnable = int32(v) }},
	{"q_w", false, true, func(_ *Player, s *scheduler.QueueState) uint64 { return s.Load }, func(_ *Player, s *scheduler.QueueState, v uint64) { s.Load = v }},
	{"q_idle", false, false, func(_ *Player, s *scheduler.QueueState) uint64 { return bit(s.Idle) }, func(_ *Player, s *scheduler.QueueState, v uint64) { s.Idle = v != 0 }},
	{"q_inr", false, false, func(_ *Player, s *scheduler.QueueState) uint64 { return uint64(s.NrIdle) }, func(_ *Player, s *scheduler.QueueState, v uint64) { s.NrIdle = int32(v) }},
	{
		"q_curr", false, true, func(p *Player, s *scheduler.QueueState) uint64 { return p.addrs[s.Curr] },
		func(p *Player, s *scheduler.QueueState, v uint64) { s.Curr = p.known(v) },
	},
	{
		"q_next", false, true, func(p *Player, s *scheduler.QueueState) uint64 { return p.addrs[s.Next] },
		func(p *Player, s *scheduler.QueueState, v uint64) { s.Next = p.known(v) },
	},
	{"q_left", false, true, func(p *Player, s *scheduler.QueueState) uint64 { return p.nodeAddr(s.Leftmost) }, nil},
	{"q_root", false, true, func(p *Player, s *scheduler.QueueState) uint64 { return p.nodeAddr(s.Root) }, nil},
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
