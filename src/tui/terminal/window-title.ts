/**
The window's name (xterm's OSC 2). The one before is kept on the terminal's own stack; a terminal without one is left
nameless, as most shells find it.
*/
export function createTitle(write: (bytes: string) => void) {
	let wanted: string | undefined;
	let shown = false;
	const last = () => (shown ? '\x1b]2;\x1b\\\x1b[23;0t' : '');
	const set = (text: string) => {
		wanted = text;
		write(`${shown ? '' : '\x1b[22;0t'}\x1b]2;${text}\x1b\\`);
		shown = true;
	};
	return {
		set,
		last,
		keep(text: string) {
			wanted = text;
		},
		hide() {
			if (shown) write(last());
			shown = false;
		},
		show() {
			if (wanted !== undefined) set(wanted);
		},
	};
}
