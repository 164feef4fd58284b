import type {Output} from '../sessions.ts';

/** A terminal, or a pipe. */
export type HiddenInput = AsyncIterable<Buffer | string> &
	Pick<NodeJS.EventEmitter, 'on' | 'off'> & {
		readonly isTTY?: boolean;
		setRawMode?(isRaw: boolean): unknown;
		resume(): unknown;
		pause(): unknown;
	};

type Hidden = {readonly text: string} | {readonly stopped: true};

/**
Reads a line from the terminal without an echo. Backspace and Ctrl+U erase, Enter and Ctrl+D end the line, and Ctrl+C
stops. The terminal is as before at the end.
*/
export async function readHidden(prompt: string, stdin: HiddenInput, stderr: Output): Promise<Hidden> {
	const {promise, resolve, reject} = Promise.withResolvers<Hidden>();
	const line = createLine(resolve);
	const take = (piece: Buffer | string) => line.add(piece.toString());
	const end = () => resolve({text: line.text()});
	stdin.setRawMode?.(true);
	stderr.write(prompt);
	stdin.on('data', take);
	stdin.on('end', end);
	stdin.on('error', reject);
	stdin.resume();
	try {
		return await promise;
	} finally {
		stdin.off('data', take);
		stdin.off('end', end);
		stdin.off('error', reject);
		stdin.pause();
		stdin.setRawMode?.(false);
		stderr.write('\n');
	}
}

/** Collects the characters of a line. Keys that send escape sequences type nothing. */
function createLine(onEnd: (hidden: Hidden) => void) {
	let text = '';
	let rest = '';

	function addCharacter(character: string): void {
		if (character === '\r' || character === '\n' || character === '\x04') onEnd({text});
		else if (character === '\x03') onEnd({stopped: true});
		else if (character === '\x7f' || character === '\b') text = text.slice(0, -1);
		else if (character === '\x15') text = '';
		else if (character >= ' ' && text.length < maxLength) text += character;
	}

	return {
		text: () => text,
		add(piece: string) {
			const all = rest + piece;
			const cut = unfinishedSequence.exec(all)?.index ?? all.length;
			rest = all.slice(cut, cut + maxSequence);
			for (const character of all.slice(0, cut).replaceAll(sequences, '')) addCharacter(character);
		},
	};
}

const maxLength = 10_000;
const maxSequence = 16;

/** Keys that send escape sequences, and the marks around a paste. */
const sequences = /\x1b(?:\[[\d;?]*[ -/]*[@-~]|O[@-~])/g;
const unfinishedSequence = /\x1b(?:\[[\d;?]{0,12}|O)?$/;
