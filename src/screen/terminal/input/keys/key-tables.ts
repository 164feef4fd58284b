/** Maps the final letters of `CSI` and `SS3` sequences to keys. */
export const letters: Readonly<Record<string, string>> = {
	A: 'up',
	B: 'down',
	C: 'right',
	D: 'left',
	E: 'clear',
	F: 'end',
	H: 'home',
	P: 'f1',
	Q: 'f2',
	R: 'f3',
	S: 'f4',
};

/** Maps the final letters of rxvt's arrows with Shift to keys. */
export const rxvtShifted: Readonly<Record<string, string>> = {a: 'up', b: 'down', c: 'right', d: 'left'};

/** Maps the numbers before the `~` of a `CSI` sequence to keys. */
export const tildes: Readonly<Record<number, string>> = {
	1: 'home',
	2: 'insert',
	3: 'delete',
	4: 'end',
	5: 'pageup',
	6: 'pagedown',
	7: 'home',
	8: 'end',
	11: 'f1',
	12: 'f2',
	13: 'f3',
	14: 'f4',
	15: 'f5',
	17: 'f6',
	18: 'f7',
	19: 'f8',
	20: 'f9',
	21: 'f10',
	23: 'f11',
	24: 'f12',
	25: 'f13',
	26: 'f14',
	28: 'f15',
	29: 'f16',
	31: 'f17',
	32: 'f18',
	33: 'f19',
	34: 'f20',
};

/** Maps the final letters of the keypad's `SS3` sequences to characters. */
export const keypad: Readonly<Record<string, string>> = {
	j: '*',
	k: '+',
	l: ',',
	m: '-',
	n: '.',
	o: '/',
	X: '=',
	p: '0',
	q: '1',
	r: '2',
	s: '3',
	t: '4',
	u: '5',
	v: '6',
	w: '7',
	x: '8',
	y: '9',
};

export const DEL = 0x7f;

/** Maps C0 codes to keys, as in the kitty protocol. */
export const codes: Readonly<Record<number, string>> = {
	8: 'backspace',
	9: 'tab',
	13: 'enter',
	27: 'escape',
	[DEL]: 'backspace',
};

/** Maps the kitty protocol's private codes to keys: the keypad, and keys without a legacy sequence. */
export const privateKeys: Readonly<Record<number, string>> = {
	57358: '',
	57409: ',',
	57410: '/',
	57411: '*',
	57412: '-',
	57413: '+',
	57414: 'enter',
	57415: '=',
	57416: ',',
	57417: 'left',
	57418: 'right',
	57419: 'up',
	57420: 'down',
	57421: 'pageup',
	57422: 'pagedown',
	57423: 'home',
	57424: 'end',
	57425: 'insert',
	57426: 'delete',
	...Object.fromEntries(Array.from({length: 10}, (_, digit) => [57399 + digit, String(digit)])),
	...Object.fromEntries(Array.from({length: 23}, (_, index) => [57376 + index, `f${index + 13}`])),
};
