package event

import "strings"

// Matches reports whether a kind falls under a pattern. A star stands for one
// word, two stars for any number of words, also none.
//
//	order.*    matches order.placed, but not order.line.added
//	order.**   matches order, order.placed and order.line.added
func Matches(pattern, kind string) bool {
	return match(strings.Split(pattern, "."), strings.Split(kind, "."))
}

func match(pattern, kind []string) bool {
	for len(pattern) > 0 {
		if pattern[0] == "**" {
			for skip := 0; skip <= len(kind); skip++ {
				if match(pattern[1:], kind[skip:]) {
					return true
				}
			}
			return false
		}
		if len(kind) == 0 || (pattern[0] != "*" && pattern[0] != kind[0]) {
			return false
		}
		pattern, kind = pattern[1:], kind[1:]
	}
	return len(kind) == 0
}
