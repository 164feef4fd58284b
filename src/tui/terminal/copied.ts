/**
How a text was copied: by a program of the system, or by a request to the terminal, which says nothing of whether it
took it.
*/
export type Copied =
	| {readonly ok: true; readonly by: 'program'; readonly program: string}
	| {readonly ok: true; readonly by: 'terminal'}
	| {readonly ok: false; readonly sentence: string};
