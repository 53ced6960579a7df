package tui

import "testing"

func TestWaitsTellWhoRanAndLeadThere(t *testing.T) {
	a := open(t, "nginx", 80, 30)
	press(a, "A")
	expect(t, a, "waits of service that ended: 1; meanwhile ran nginx", "who ran meanwhile")
	press(a, "G", "j")
	first := a.s.waitsHere().list[0]
	second := a.s.waitsHere().list[1]
	if first.Length() < second.Length() {
		t.Errorf("the first wait is %v long, the second %v", first.Length(), second.Length())
	}
	press(a, "enter")
	expect(t, a, "here the wait began", "waits of ")
	if got := a.s.run.Index(); got != second.Begin {
		t.Errorf("at event %d, the wait began at %d", got, second.Begin)
	}
	press(a, "g", "enter")
	expect(t, a, "no wait to go to")
}
