import {insert, type Draft, draftOf} from '../draft.ts';
import {flatten} from '../../../pod/protocol.ts';
import {withNewlines} from '../chip.ts';
import {toSegments} from '../segments.ts';

/** The contents of a register: characters or whole lines. */
export type Register = {readonly piece: Draft; readonly kind: 'characters' | 'lines'};

/** The registers by name. `"` contains the text that was deleted or copied last. */
export type Registers = Readonly<Partial<Record<string, Register>>>;

/** The registers of the system's clipboard. Here `*` is the same as `+`. */
export const clipboardNames: ReadonlySet<string> = new Set(['+', '*']);

export function isRegister(name: string): boolean {
	return /^[a-zA-Z0-9"+*_-]$/.test(name);
}

/** Returns the contents of a register. The default is the register `"`. */
export function readRegister(registers: Registers, name: string | undefined): Register | undefined {
	return registers[(name ?? '"').toLowerCase()];
}

/** Stores a copied text in the named register, or otherwise in register 0. */
export function storeCopy(registers: Registers, name: string | undefined, text: Register): Registers {
	if (name === '_') return registers;
	if (name !== undefined && name !== '"') return storeNamed(registers, name, text);
	return {...registers, '0': text, '"': text};
}

/**
Stores a deleted text. Whole lines, several lines, and the text of big motions go to register 1, and the earlier
contents of 1 to 8 move to 2 to 9. Other text goes to register `-`.
*/
export function storeDeletion(
	registers: Registers,
	name: string | undefined,
	text: Register,
	isBig: boolean,
): Registers {
	if (name === '_') return registers;
	const isNamed = name !== undefined && name !== '"';
	const named = isNamed ? storeNamed(registers, name, text) : registers;
	const big = isBig || text.kind === 'lines' || text.piece.length > 1;
	const numbered = big && (!isNamed || isBig) ? shifted(named, text) : named;
	const small = !big && !isNamed ? {...numbered, '-': text} : numbered;
	return isNamed ? small : {...small, '"': text};
}

/** Returns the contents of a register as text for other programs. Whole lines end with a line break. */
export function toClipboard({piece, kind}: Register): string {
	return flatten(toSegments(piece)) + (kind === 'lines' ? '\n' : '');
}

/** Returns a text from the clipboard as the contents of a register. */
export function fromClipboard(text: string): Register {
	const content = withNewlines(text);
	const isLines = content.endsWith('\n') && content.length > 1;
	return {piece: draftOf(isLines ? content.slice(0, -1) : content), kind: isLines ? 'lines' : 'characters'};
}

/** Stores a text in a named register. A capital letter appends the text to the register. */
function storeNamed(registers: Registers, name: string, text: Register): Registers {
	const key = name.toLowerCase();
	const before = name === key ? undefined : registers[key];
	const stored = before === undefined ? text : joined(before, text);
	return {...registers, [key]: stored, '"': stored};
}

function joined(before: Register, text: Register): Register {
	if (before.kind === 'lines' || text.kind === 'lines')
		return {piece: before.piece.concat(text.piece), kind: 'lines'};
	const end = {line: before.piece.length - 1, column: before.piece.at(-1)?.length ?? 0};
	return {piece: insert(before.piece, end, text.piece).draft, kind: 'characters'};
}

function shifted(registers: Registers, text: Register): Registers {
	const moved: Record<string, Register> = {};
	for (let number = 8; number >= 1; number--) {
		const register = registers[number];
		if (register !== undefined) moved[number + 1] = register;
	}
	return {...registers, ...moved, '1': text};
}
