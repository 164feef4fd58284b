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
In UTF-8, the byte that begins a C1 control or a character from U+00A0 to U+00BF. It occurs in no other characters.
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
A C1 control means an ESC followed by the letter that is 0x40 lower. A control that begins no sequence is dropped.
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

/** ESC ESC means Alt with the following sequence, or otherwise two Escape keys. */
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
	// rxvt ends a key with Shift with a dollar sign, which in other sequences is an intermediate byte.
	const final = code >= 0x40 || (code === 0x24 && !first && machine.body.every(byte => byte >= 0x30 && byte <= 0x39));
	if (!final) {
		if (machine.body.length < sequenceLimit) machine.body.push(code);
		return at + 1;
	}
	const body = String.fromCharCode(...machine.body);
	if (code === 0x7e && body === '200') {
		reset(machine);
		machine.state = 'paste';
	} else emit(machine, {type: 'csi', body, final: String.fromCharCode(code), alt: machine.alt});
	return at + 1;
}

/**
32 is added to the button, the column and the row, so that they are not control characters. A position that is too far
away is sent as 0.
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
A terminal's replies are printable. Any other control byte is a key, so that Ctrl+C works inside a string that never
ends.
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
/** The second byte of the C1 control that ends a string. */
const stringEnd = 0x9c;
const sequenceLimit = 256;
const stringLimit = 65_536;
