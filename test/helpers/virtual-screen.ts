import headless from '@xterm/headless';
import type {Terminal as XtermTerminal} from '@xterm/headless';

const {Terminal} = headless;

/** A terminal without a window. It shows what a user would see after the bytes that were written to it. */
export type VirtualScreen = {
	readonly terminal: XtermTerminal;
	/** Resolves when the bytes are on the screen. */
	write(bytes: string): Promise<void>;
	/** Returns the visible rows without trailing blanks. */
	rows(): string[];
	cursor(): {readonly column: number; readonly row: number};
	/** The terminal's answers to queries. Inert text must not cause any. */
	readonly answers: string[];
	/** The titles that were set. */
	readonly titles: string[];
	dispose(): void;
};

export function createVirtualScreen(columns: number, rows: number): VirtualScreen {
	const terminal = new Terminal({cols: columns, rows, allowProposedApi: true, scrollback: 0});
	const answers: string[] = [];
	const titles: string[] = [];
	terminal.onData(data => answers.push(data));
	terminal.onTitleChange(title => titles.push(title));
	return {
		terminal,
		answers,
		titles,
		write: async bytes => new Promise(done => terminal.write(bytes, done)),
		rows() {
			const buffer = terminal.buffer.active;
			return Array.from(
				{length: rows},
				(_, row) => buffer.getLine(buffer.viewportY + row)?.translateToString(true) ?? '',
			);
		},
		cursor: () => ({column: terminal.buffer.active.cursorX, row: terminal.buffer.active.cursorY}),
		dispose: () => terminal.dispose(),
	};
}
