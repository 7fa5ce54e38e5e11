package runtime

import "github.com/cleocode/cleo-validator/contracts"

// fault is the subject of a row about the fault that has just been counted.
func fault(s State, row int) About {
	return About{
		Attempt: s.Counter, Kind: catalogue[row].Kind, Family: catalogue[row].Family, Class: catalogue[row].Class,
	}
}

// rejection is the subject of a row about the reject that has just been counted: readers of the log expect it under
// validator-partial.
func rejection(s State) About {
	return About{
		Attempt: s.Counter, Kind: contracts.FaultPartial, Family: contracts.FamilySemantic, Class: contracts.ClassTransient,
	}
}

// handOverOf is the subject of the row about a candidate that shows no progress; it belongs to the attempt rejected.
func handOverOf(s State) About { return rejection(s) }

// respawnFault is the subject of the row about a Worker respawn. Whatever its kind, it is infrastructure and transient.
func respawnFault(s State, row int) About {
	return About{
		Attempt: s.Counter, Kind: catalogue[row].Kind, Family: contracts.FamilyInfra, Class: contracts.ClassTransient,
	}
}
