import {StringDecoder} from 'node:string_decoder';
import {createLateReports, type Joined} from './late-escape.ts';
import {createPasteCollector, pasteLimit} from './paste.ts';
import type {Token} from './token.ts';
import {begun, breakOff, emit, emitEscape, emitPaste, reset, take, type Machine, type State} from './token-machine.ts';
import {states} from './token-states.ts';

/**
The input that a tokenizer is waiting for. `escape`: the rest of a sequence after a single ESC. `introducer`: the rest
after an introducer (`ESC _` may be Alt+_). `sequence`: the rest of a sequence or control string. `late`: the rest of a
sequence whose ESC became a key. `part`: more bytes of an abandoned report. `paste`: the end of a paste. The caller
measures the time, and calls `flush` when the wait is over.
*/
export type Waiting = 'nothing' | 'escape' | 'introducer' | 'sequence' | 'late' | 'part' | 'paste';

type Tokenizer = {
	/**
	Returns the tokens that these bytes complete, in order, in linear time. The way in which the stream is split into
	calls affects only how texts are split into tokens. `now` is in milliseconds since an arbitrary start. It is needed
	to detect late bytes.
	*/
	push(bytes: Uint8Array, now?: number): Token[];
	/**
	Ends the wait for more bytes. A single ESC becomes the Escape key, an introducer becomes an Alt key, an incomplete
	sequence becomes a fragment, and a paste ends.
	*/
	flush(now?: number): Token[];
	waiting(): Waiting;
};

export function createTokenizer(limits: {readonly paste: number} = {paste: pasteLimit}): Tokenizer {
	const machine: Machine = {
		state: 'ground',
		out: [],
		decoder: new StringDecoder('utf8'),
		alt: false,
		isC1: false,
		body: [],
		kind: 'osc',
		paste: createPasteCollector(limits.paste),
		late: createLateReports(),
		now: 0,
	};
	return {
		push(bytes, now = 0) {
			machine.now = now;
			const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
			const isFree = machine.state === 'ground';
			const joined = isFree ? machine.late.join(buffer, now) : {pasted: '', bytes: buffer};
			if (isFree && machine.late.wasEscape()) machine.out.push({type: 'late'});
			readJoined(machine, joined);
			return take(machine);
		},
		flush(now = 0) {
			machine.now = now;
			readJoined(machine, machine.late.release());
			flushes[machine.state](machine);
			return take(machine);
		},
		waiting() {
			const held = machine.late.holds();
			return held === 'nothing' ? waits[machine.state](machine) : held;
		},
	};
}

function readJoined(machine: Machine, {pasted, bytes}: Joined): void {
	if (pasted !== '') machine.out.push({type: 'paste', text: pasted, cut: false});
	read(machine, bytes);
}

function read(machine: Machine, bytes: Buffer): void {
	let at = 0;
	for (let code = bytes[at]; code !== undefined; code = bytes[at])
		at = states[machine.state](machine, code, bytes, at);
}

const flushes: {readonly [Name in State]: (machine: Machine) => void} = {
	ground: () => {},
	lead: () => {},
	escape(machine) {
		emitEscape(machine);
		reset(machine);
		machine.late.gaveUp('\x1b', machine.now);
	},
	'escape escape'(machine) {
		emitEscape(machine);
		emitEscape(machine);
		reset(machine);
	},
	csi: flushSequence,
	ss3: flushSequence,
	x10: breakOff,
	linux: breakOff,
	string: flushSequence,
	'string escape'(machine) {
		const text = begun(machine);
		breakOff(machine);
		machine.late.gaveUp(`${text}\x1b`, machine.now);
	},
	paste: emitPaste,
};

/**
Ends the wait for the rest of a sequence or control string. An introducer alone becomes an Alt key, unless it was a C1
control. The missing bytes may still arrive late, so the abandoned bytes are remembered.
*/
function flushSequence(machine: Machine): void {
	const {alt} = machine;
	const text = begun(machine);
	if (isIntroducer(machine)) emit(machine, {type: 'text', text: text.slice(-1), alt: true});
	else breakOff(machine);
	if (!alt) machine.late.gaveUp(text, machine.now);
}

function isIntroducer({body, isC1}: Machine): boolean {
	return body.length === 0 && !isC1;
}

const bodyless = (machine: Machine): Waiting => (isIntroducer(machine) ? 'introducer' : 'sequence');

const waits: {readonly [Name in State]: (machine: Machine) => Waiting} = {
	ground: () => 'nothing',
	lead: () => 'nothing',
	escape: () => 'escape',
	'escape escape': () => 'escape',
	csi: () => 'sequence',
	ss3: () => 'sequence',
	x10: () => 'sequence',
	linux: () => 'sequence',
	string: bodyless,
	'string escape': () => 'sequence',
	paste: () => 'paste',
};
