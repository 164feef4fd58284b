/** A key of a replay. `play` plays on or pauses. */
export type ReplayStep =
	| 'next item'
	| 'previous item'
	| 'next request'
	| 'previous request'
	| 'next second'
	| 'previous second'
	| 'start'
	| 'end'
	| 'play';
