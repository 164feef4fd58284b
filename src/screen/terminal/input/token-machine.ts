import type {StringDecoder} from 'node:string_decoder';
import type {LateReports} from './late-escape.ts';
import type {PasteCollector} from './paste.ts';
import type {StringKind, Token} from './token.ts';

/** The states of a tokenizer. */
export type State =
	| 'ground'
	| 'lead'
	| 'escape'
	| 'escape escape'
	| 'csi'
	| 'ss3'
	| 'x10'
	| 'linux'
	| 'string'
	| 'string escape'
	| 'paste';
export type Machine = {
	state: State;
	out: Token[];
	readonly decoder: StringDecoder;
	/** Whether an ESC precedes the next token. */
	alt: boolean;
	/** Whether a C1 control began the sequence, and not an ESC. */
	isC1: boolean;
	/** The received bytes of the sequence or control string. Their number is limited. */
	body: number[];
	kind: StringKind;
	readonly paste: PasteCollector;
	readonly late: LateReports;
	now: number;
};

export const ESC = 0x1b;

/** Begins the sequence or control string of an introducer. Returns false if the character is not an introducer. */
export function open(machine: Machine, introducer: string): boolean {
	const kind = strings.get(introducer);
	if (introducer === '[') machine.state = 'csi';
	else if (introducer === 'O') machine.state = 'ss3';
	else if (kind !== undefined) {
		machine.state = 'string';
		machine.kind = kind;
	} else return false;
	return true;
}

export function emitPaste(machine: Machine): void {
	emit(machine, {type: 'paste', ...machine.paste.finish()});
}

export function emitReply(machine: Machine): void {
	emit(machine, {type: 'reply', kind: machine.kind, body: Buffer.from(machine.body).toString('utf8')});
}

export function emitEscape(machine: Machine): void {
	machine.out.push({type: 'control', code: ESC, alt: false});
}

/** Emits a text. If an ESC came before the text, Alt applies only to the first character. */
export function emitText(machine: Machine, text: string): void {
	if (text === '') return;
	if (!machine.alt) {
		machine.out.push({type: 'text', text, alt: false});
		return;
	}
	const [first = ''] = text;
	machine.out.push({type: 'text', text: first, alt: true});
	if (first.length < text.length) machine.out.push({type: 'text', text: text.slice(first.length), alt: false});
	machine.alt = false;
}

/** Ends the text. An incomplete UTF-8 character before a control byte becomes U+FFFD. */
export function endText(machine: Machine): void {
	emitText(machine, machine.decoder.end());
}

/**
Ends the sequence at a byte that cannot belong to it. The byte is read again, unless it is CAN or SUB, which only cancel
a sequence.
*/
export function abandon(machine: Machine, code: number, at: number): number {
	breakOff(machine);
	return code === 0x18 || code === 0x1a ? at + 1 : at;
}

export function breakOff(machine: Machine): void {
	emit(machine, {type: 'fragment', text: begun(machine)});
}

/** Returns the characters of the incomplete sequence. */
export function begun({state, alt, kind, body}: Machine): string {
	return `${alt ? '\x1b' : ''}\x1b${introducerOf(state, kind)}${Buffer.from(body).toString('utf8')}`;
}

function introducerOf(state: State, kind: StringKind): string {
	if (state === 'linux') return '[[';
	if (state === 'ss3') return 'O';
	return state === 'csi' || state === 'x10' ? '[' : introducers[kind];
}

export function emit(machine: Machine, token: Token): void {
	machine.out.push(token);
	reset(machine);
}

export function reset(machine: Machine): void {
	machine.state = 'ground';
	machine.alt = false;
	machine.isC1 = false;
	if (machine.body.length > 0) machine.body = [];
}

export function take(machine: Machine): Token[] {
	const tokens = machine.out;
	machine.out = [];
	return tokens;
}

const kinds = ['osc', 'dcs', 'apc', 'pm', 'sos'] as const satisfies readonly StringKind[];
const introducers: {readonly [Kind in StringKind]: string} = {osc: ']', dcs: 'P', apc: '_', pm: '^', sos: 'X'};
const strings: ReadonlyMap<string, StringKind> = new Map(kinds.map(kind => [introducers[kind], kind]));
