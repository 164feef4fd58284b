import {
	ESC,
	abandon,
	breakOff,
	emit,
	emitEscape,
	emitPaste,
	emitReply,
	emitText,
	endText,
	open,
	reset,
	type Machine,
	type State,
} from './token-machine.ts';
import {isReport} from './source.ts';
import type {Token} from './token.ts';

/**
The states, each as a function that handles the byte `code` at the index `at`. The function returns the index of the
next byte.
*/
export const states: {readonly [Name in State]: (machine: Machine, code: number, bytes: Buffer, at: number) => number} =
	{
		ground,
		lead,
		escape,
		'escape escape': escapeEscape,
		csi,
		ss3,
		x10,
		linux: (machine, code, _, at) => {
			emit(machine, {type: 'csi', body: '[', final: String.fromCharCode(code), alt: machine.alt});
			return at + 1;
		},
		string,
		'string escape': stringEscape,
		paste,
	};

function ground(machine: Machine, code: number, bytes: Buffer, at: number): number {
	let end = at;
	while (isText(bytes, end)) end++;
	if (end > at) {
		emitText(machine, machine.decoder.write(bytes.subarray(at, end)));
		return end;
	}
	if (code === c1Lead) machine.state = 'lead';
	else endText(machine);
	if (code === ESC) machine.state = 'escape';
	else if (code !== c1Lead) emit(machine, {type: 'control', code, alt: machine.alt});
	return at + 1;
}

/**
The UTF-8 byte that begins a C1 control or a character from U+00A0 to U+00BF. No other character contains this byte.
*/
const c1Lead = 0xc2;

function isText(bytes: Buffer, at: number): boolean {
	const code = bytes[at];
	if (code === c1Lead) return isFollowedByText(bytes[at + 1]);
	return code !== undefined && code >= 0x20 && code !== DEL;
}

function isFollowedByText(next: number | undefined): boolean {
	return next !== undefined && !isC1Rest(next);
}

function isC1Rest(code: number): boolean {
	return code >= 0x80 && code < 0xa0;
}

/**
Handles the byte after `c1Lead`. A C1 control has the same meaning as ESC followed by the character whose code is 0x40
lower. A C1 control that begins no sequence becomes a fragment.
*/
function lead(machine: Machine, code: number, _: Buffer, at: number): number {
	machine.state = 'ground';
	if (!isC1Rest(code)) {
		emitText(machine, machine.decoder.write(Buffer.of(c1Lead)));
		return at;
	}
	endText(machine);
	machine.isC1 = true;
	if (!open(machine, String.fromCharCode(code - 0x40)))
		emit(machine, {type: 'fragment', text: String.fromCharCode(code)});
	return at + 1;
}

function escape(machine: Machine, code: number, _: Buffer, at: number): number {
	if (code === ESC) machine.state = 'escape escape';
	else if (!open(machine, String.fromCharCode(code))) {
		machine.state = 'ground';
		machine.alt = true;
		return at;
	}
	return at + 1;
}

/**
Handles the byte after ESC ESC. If a sequence follows, ESC ESC means that sequence with Alt. Otherwise the first ESC is
an Escape key.
*/
function escapeEscape(machine: Machine, code: number, _: Buffer, at: number): number {
	if (code === 0x5b || code === 0x4f) {
		machine.alt = true;
		machine.state = 'escape';
		return at;
	}
	emitEscape(machine);
	machine.state = 'escape';
	return at;
}

function csi(machine: Machine, code: number, _: Buffer, at: number): number {
	if (code < 0x20 || code >= DEL) return abandon(machine, code, at);
	const first = machine.body.length === 0;
	if (first && code === 0x5b) {
		machine.state = 'linux';
		return at + 1;
	}
	if (first && code === 0x4d) {
		machine.state = 'x10';
		machine.body.push(code);
		return at + 1;
	}
	// In rxvt, the sequence of a key with Shift ends with a dollar sign. In other sequences, the dollar sign is an
	// intermediate byte.
	const final = code >= 0x40 || (code === 0x24 && !first && machine.body.every(byte => byte >= 0x30 && byte <= 0x39));
	if (!final) {
		if (machine.body.length < sequenceLimit) machine.body.push(code);
		return at + 1;
	}
	const body = String.fromCharCode(...machine.body);
	if (code === 0x7e && body === '200') {
		reset(machine);
		machine.state = 'paste';
	} else emitCsi(machine, {type: 'csi', body, final: String.fromCharCode(code), alt: false});
	return at + 1;
}

/**
Emits a sequence. A terminal sends reports by itself, for example about its focus when a screen opens. So an ESC before
a report is an Escape key, and an ESC before any other sequence is Alt.
*/
function emitCsi(machine: Machine, token: Extract<Token, {readonly type: 'csi'}>): void {
	// F3 with a modifier has the form of a position of the cursor.
	const isEscape = machine.alt && isReport(token) && token.final !== 'R';
	if (isEscape) emitEscape(machine);
	emit(machine, {...token, alt: machine.alt && !isEscape});
}

/**
Handles the three bytes of an old mouse report: the button, the column and the row. The terminal adds 32 to each of
them, so that they are not control characters. It sends 0 for a position that is too far away.
*/
function x10(machine: Machine, code: number, _: Buffer, at: number): number {
	if (code < 0x20 && code !== 0) return abandon(machine, code, at);
	machine.body.push(code);
	if (machine.body.length === 4)
		emit(machine, {type: 'csi', body: String.fromCharCode(...machine.body), final: 'M', alt: machine.alt});
	return at + 1;
}

function ss3(machine: Machine, code: number, _: Buffer, at: number): number {
	if (code < 0x20 || code >= DEL) return abandon(machine, code, at);
	if (code >= 0x30 && code <= 0x3b && machine.body.length < sequenceLimit) machine.body.push(code);
	else
		emit(machine, {
			type: 'ss3',
			body: String.fromCharCode(...machine.body),
			final: String.fromCharCode(code),
			alt: machine.alt,
		});
	return at + 1;
}

/**
Handles a byte of a control string. The replies of terminals are printable. So any other control byte is a key, and
Ctrl+C works inside a string that never ends.
*/
function string(machine: Machine, code: number, _: Buffer, at: number): number {
	if (code === ESC) machine.state = 'string escape';
	else if (code === BEL) emitReply(machine);
	else if (code === stringEnd && machine.body.at(-1) === c1Lead) {
		machine.body.pop();
		emitReply(machine);
	} else if (code < 0x20 || code === DEL) return abandon(machine, code, at);
	else if (machine.body.length < stringLimit) machine.body.push(code);
	return at + 1;
}

function stringEscape(machine: Machine, code: number, _: Buffer, at: number): number {
	if (code === 0x5c) {
		emitReply(machine);
		return at + 1;
	}
	breakOff(machine);
	machine.state = 'escape';
	return at;
}

function paste(machine: Machine, _: number, bytes: Buffer, at: number): number {
	const {taken, ended} = machine.paste.push(bytes.subarray(at));
	if (ended) emitPaste(machine);
	return at + taken;
}

const BEL = 0x07;
const DEL = 0x7f;
/** The second UTF-8 byte of the C1 control that ends a control string. */
const stringEnd = 0x9c;
const sequenceLimit = 256;
const stringLimit = 65_536;
