package spawn

func lead([]string) {}
