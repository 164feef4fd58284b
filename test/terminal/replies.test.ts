import {describe, expect, it} from 'vitest';
import {builtProgram} from '../helpers/built.ts';
import {onlyHistory, openChat} from '../helpers/chat.ts';
import type {Terminal} from '../helpers/pty.ts';
import {slowClock} from '../helpers/slow-clock.ts';

const long = process.env['INKPOD_TEST'] === 'long';

/** The replies of a terminal to queries, and its own reports. */
const reports = {
	'OSC 10': '\x1b]10;rgb:d0d0/d0d0/d0d0\x1b\\',
	'OSC 11': '\x1b]11;rgb:1e1e/1e1e/1e1e\x07',
	'OSC 4': '\x1b]4;1;rgb:cdcd/0000/0000\x1b\\',
	'OSC 52': '\x1b]52;c;aGVsbG8=\x07',
	'OSC 7501': '\x1b]7501;?\x1b\\',
	DA1: '\x1b[?62;22;52c',
	DA2: '\x1b[>41;390;0c',
	DA3: '\x1bP!|00000000\x1b\\',
	XTVERSION: '\x1bP>|XTerm(390)\x1b\\',
	XTGETTCAP: '\x1bP1+r544e=787465726d\x1b\\',
	DECRPSS: '\x1bP1$r0m\x1b\\',
	DECRQM: '\x1b[?2026;2$y',
	'kitty keys': '\x1b[?1u',
	'kitty pictures': '\x1b_Gi=31;OK\x1b\\',
	cursor: '\x1b[24;80R',
	size: '\x1b[8;30;100t',
	'colour scheme': '\x1b[?997;1n',
	'mouse press': '\x1b[<0;10;5M',
	'mouse release': '\x1b[<0;10;5m',
	'mouse move': '\x1b[<35;113;27M',
	'old mouse': '\x1b[M !!',
	'focus lost': '\x1b[O',
	'focus gained': '\x1b[I',
};

/**
Answers to all queries that a program may send at its start. A terminal never writes one report into the middle of
another, so each answer is complete.
*/
const answers = {
	'\x1b[c': reports.DA1,
	'\x1b[0c': reports.DA1,
	'\x1b[>c': reports.DA2,
	'\x1b[>0q': reports.XTVERSION,
	'\x1b[>q': reports.XTVERSION,
	'\x1b[?u': reports['kitty keys'],
	'\x1b[6n': '\x1b[24;80R',
	'\x1b[?2026$p': reports.DECRQM,
	'\x1b]10;?': reports['OSC 10'],
	'\x1b]11;?': reports['OSC 11'],
	'\x1b]7501;?\x1b\\': reports['OSC 7501'],
	'\x1b[?2004h': `${reports['OSC 11']}${reports['focus gained']}${reports['mouse move']}`,
};

/** Opens a chat that waits very long before it treats a byte as late. */
async function openUnhurried(): Promise<Terminal> {
	const terminal = await openChat({
		cols: 200,
		rows: 40,
		answers: 'none',
		command: [process.execPath, slowClock(20), await builtProgram()],
	});
	await terminal.waitFor('offline');
	return terminal;
}

/** Types a character and waits until it shows. By then the program has read the bytes that were written with it. */
async function typed(terminal: Terminal, draft: string, bytes: string): Promise<void> {
	terminal.write(bytes);
	await terminal.waitFor(screen => screen.replaceAll(/\s/g, '').includes(`❯${draft}`), {what: `the draft ${draft}`});
}

/** Sends the draft. The history then contains its exact text. */
async function sent(terminal: Terminal): Promise<unknown> {
	terminal.write('\r');
	await terminal.waitFor(/\n {2}[\d.]+ s/);
	return (await onlyHistory(terminal.home)).items.find(item => item['role'] === 'user')?.['text'];
}

describe('replies of the terminal', () => {
	it('do not change the message, wherever their bytes are split', async () => {
		const terminal = await openUnhurried();
		const letters = 'abcdefghjkmnopqrstuvwxyz';
		let draft = '';
		for (const [index, report] of Object.values(reports).entries()) {
			const all = Array.from({length: report.length - 1}, (_, at) => at + 1);
			const cuts = long ? all : all.filter(at => at <= 3 || at === report.length - 1 || at % 7 === index % 7);
			for (const cut of cuts) {
				draft += letters[cut % letters.length]!;
				await typed(terminal, draft, draft.at(-1)! + report.slice(0, cut));
				draft += letters[index % letters.length]!;
				await typed(terminal, draft, report.slice(cut) + draft.at(-1)!);
			}
		}
		expect(await sent(terminal)).toBe(draft);
	});

	it('do not change the message when every byte is a separate write', async () => {
		const terminal = await openUnhurried();
		let draft = '';
		for (const [index, report] of Object.values(reports).entries()) {
			for (const byte of report) {
				terminal.write(byte);
				// On an idle machine the program has read each byte by then. On a busy machine it reads some bytes
				// together.
				await new Promise(resolve => setImmediate(resolve));
			}
			draft += 'abcdefghjkmnopqrstuvwxyz'[index]!;
			await typed(terminal, draft, draft.at(-1)!);
		}
		expect(await sent(terminal)).toBe(draft);
	});

	it('do not change the message when they arrive right after the start', async () => {
		const terminal = await openChat({cols: 100, rows: 20, answers});
		await terminal.waitFor('❯');
		let draft = '';
		for (const [index, report] of Object.values(reports).entries()) {
			draft += 'abcdefghjkmnopqrstuvwxyz'[index]!;
			terminal.write(`${report}${draft.at(-1)!}${report}`);
		}
		await typed(terminal, draft, '');
		await terminal.waitFor('offline');
		expect(await sent(terminal)).toBe(draft);
	});
});
