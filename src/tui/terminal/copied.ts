/**
A program of the system or a request to the terminal copied the text. The terminal does not report whether it took the
text.
*/
export type Copied =
	| {readonly ok: true; readonly by: 'program'; readonly program: string}
	| {readonly ok: true; readonly by: 'terminal'}
	| {readonly ok: false; readonly sentence: string};
