/**
Manages the window's title (xterm's OSC 2). The earlier title is saved on a stack in the terminal. A terminal without
such a stack has an empty title in the end.
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
