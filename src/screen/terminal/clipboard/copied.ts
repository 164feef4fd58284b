/**
How the text was copied: by a program of the system, or by a request to the terminal. The terminal does not report
whether it accepted the text.
*/
export type Copied =
	| {readonly ok: true; readonly by: 'program'; readonly program: string}
	| {readonly ok: true; readonly by: 'terminal'}
	| {readonly ok: false; readonly sentence: string};

/** The bytes of the image in the clipboard as base64, or a sentence about why there are none. */
export type ClipboardImage =
	| {readonly ok: true; readonly data: string}
	| {readonly ok: false; readonly sentence: string};

/** The text in the clipboard, or a sentence about why there is none. */
export type ClipboardText =
	| {readonly ok: true; readonly text: string}
	| {readonly ok: false; readonly sentence: string};
