import {describe, expect, it} from 'vitest';
import {statusPartNames, type Status} from '../../../../src/pod/protocol.ts';
import {plainText} from '../../../../src/screen/spans/row.ts';
import {formatCount} from '../../../../src/text/formats.ts';
import {shortPath, statusRow} from '../../../../src/screen/view/status/status-line.ts';
import type {StatusFacts} from '../../../../src/screen/view/status/status-line.ts';
import {width} from '../../../../src/text/width.ts';

const waiting = (id: string) => ({id, state: 'queued', preview: []}) as const;
const idle: Status = {kind: 'idle', asks: [], queue: []};
const session = {
	id: 's',
	model: 'anthropic/claude-sonnet-5',
	scope: {pwd: '/home/ann/work/inkpod', writable: true, readRoots: []},
};
const drawn = (facts: Partial<StatusFacts>, columns = 200, now = 0) =>
	plainText(statusRow({session, status: idle, home: '/home/ann', ...facts}, columns, now));
/** The line with an ordinary separator in place of the gap. */
const line = (...facts: Parameters<typeof drawn>) => drawn(...facts).replace(/ {6,}/u, ' · ');

describe('the status line', () => {
	it('shows status, model, tokens, scope and hints', () => {
		expect(
			line({status: {...idle, context: {tokens: 12_345, exact: true, window: 200_000}}, hints: ['Ctrl+C quits']}),
		).toBe('◦ idle · Ctrl+C quits · claude-sonnet-5 · 12.3k tokens (6%) · ~/work/inkpod · ask');
		expect(line({session: {...session, scope: {pwd: '/srv', writable: false, readRoots: ['/a', '/b']}}})).toContain(
			'/srv (read-only, +2 dirs)',
		);
		expect(
			line({
				status: {...idle, kind: 'running', step: 'streaming', queue: [waiting('a'), waiting('b')]},
				notes: ['↓ 12 new'],
			}),
		).toContain('● Answering · 2 queued messages · ↓ 12 new · claude-sonnet-5');
		expect(line({status: {...idle, kind: 'paused'}})).toMatch(/^■ interrupted/);
		expect(
			line({status: {...idle, kind: 'running', asks: [{id: 'a', title: '', detail: '', choices: []}]}}),
		).toMatch(/^\? approval needed/);
	});

	it('shows the effort of the model, and the model that comes after the turn', () => {
		const status = {...idle, nextModel: 'openai/gpt-5', nextEffort: 'low'} as const;
		const facts = {session: {...session, effort: 'high' as const}, status};
		expect(line(facts)).toContain('claude-sonnet-5 high · next: gpt-5 low · ');
		expect(line(facts, 40)).toBe('◦ idle · claude-sonnet-5 · → gpt-5 · ask');
	});

	it('counts the background commands, even with little room', () => {
		const background = [1, 2].map(n => ({id: String(n), call: `i${n}`, command: 'npm run dev', since: 0}));
		expect(line({status: {...idle, background}})).toContain('◦ idle · 2 in background · claude-sonnet-5 · ');
		expect(line({status: {...idle, kind: 'paused', background, approval: 'auto'}}, 50)).toBe(
			'■ interrupted · 2 bg · claude-sonnet-5 · auto',
		);
		expect(line({status: {...idle, background}}, 34)).toContain('2 bg');
	});

	it('shows the known context usage, and marks estimates', () => {
		const said = (context: Status['context']) =>
			line({status: {...idle, context: context!}})
				.replace('◦ idle · claude-sonnet-5 · ', '')
				.replace(' · ~/work/inkpod · ask', '');
		const cost = {usd: 0.041, known: 3, unknown: 0};
		expect(said({tokens: 12_345, exact: true, window: 200_000, cost})).toBe('12.3k tokens (6%) · $0.04');
		expect(said({tokens: 12_345, exact: false, window: 200_000, cached: 0.94, cost: {...cost, unknown: 1}})).toBe(
			'≈12.3k tokens (6%) · ≥ $0.04',
		);
		expect(said({tokens: 12_345, exact: true, cached: 0, cost: {...cost, usd: 0}})).toBe('12.3k tokens');
		expect(said({tokens: 900, exact: false, cost: {...cost, usd: 0.0031}})).toBe('≈900 tokens · $0.0031');
	});

	it('ends at the right edge from the model on, if there is room', () => {
		const facts = {hints: ['Ctrl+C quits'], notes: ['↓ 3 new']};
		expect(drawn(facts, 120)).toMatch(/^◦ idle · Ctrl\+C quits · ↓ 3 new {20,}claude-sonnet-5 · .* · ask$/u);
		expect(width(drawn(facts, 120))).toBe(120);
		expect(drawn(facts, 73)).toBe(line(facts, 73));
	});

	it('says that commands are confined, and that they do not work on a layer', () => {
		const confined = {...idle, confined: true} as const;
		expect(line({status: confined})).toMatch(/ · ask · confined$/);
		expect(line({status: {...confined, noCells: 'it fails'}})).toMatch(/ · ask · confined, no cells$/);
		const auto = {...confined, approval: 'auto', noCells: 'it fails'} as const;
		expect(line({status: auto})).toMatch(/ · auto-approve, confined, no cells$/);
		expect(line({status: {...confined, noCells: 'it fails'}}, 60)).toMatch(/ · confined$/);
	});

	it('shows the approval mode, and drops the warning about the missing sandbox last', () => {
		expect(line({status: {...idle, approval: 'accept-edits'}})).toMatch(/ · accept-edits$/);
		expect(line({status: {...idle, approval: 'auto'}})).toMatch(/ · auto-approve: not confined$/);
		expect(line({session: {...session, scope: {...session.scope, writable: false}}})).toMatch(
			/\(read-only\) · ask$/,
		);
		for (let columns = 40; columns <= 200; columns++)
			expect(
				line(
					{
						status: {
							...idle,
							approval: 'auto',
							kind: 'running',
							step: 'requesting',
							context: {tokens: 145_000, exact: true},
						},
						hints: ['Esc to stop'],
					},
					columns,
				),
			).toContain(' · auto');
	});

	it('counts the seconds to the next retry', () => {
		const status: Status = {kind: 'running', step: 'requesting', asks: [], queue: [], retryAt: 10_000};
		expect([0, 1, 9001, 10_000, 12_000].map(now => line({status}, 200, now).split(' · ')[0])).toEqual([
			'◔ Retrying in 10 s',
			'◔ Retrying in 10 s',
			'◔ Retrying in 1 s',
			'◔ Retrying',
			'◔ Retrying',
		]);
	});

	it('leaves out the approval mode and the confinement last', () => {
		for (const approval of [undefined, 'accept-edits', 'plan'] as const) {
			const status = {...idle, confined: true, approval, context: {tokens: 145_000, exact: true}} as Status;
			const text = line({status, hints: ['Ctrl+O view', 'Ctrl+D to quit']}, 60);
			expect(text).toMatch(/· (?:ask|accept-edits|plan: read-only) · confined$/);
		}
	});

	it('fits at any width, and keeps status and model', () => {
		const facts = {
			status: {
				...idle,
				kind: 'running',
				step: 'requesting',
				queue: [waiting('a')],
				context: {
					tokens: 145_000,
					exact: true,
					window: 200_000,
					cached: 0.5,
					cost: {usd: 1, known: 1, unknown: 0},
				},
			} as Status,
			hints: ['Esc pauses', 'PgUp scrolls'],
			notes: ['↓ 3 new'],
		};
		for (let columns = 20; columns <= 200; columns++) {
			const text = line(facts, columns);
			expect(width(text)).toBeLessThanOrEqual(columns);
			expect(text).toContain('● Waiting');
			if (columns >= 40) expect(text).toContain('claude-sonnet-5');
		}
		expect(line(facts, 40)).toBe('● Waiting · claude-sonnet-5 · 145k · ask');
		expect(line(facts, 200)).toContain('PgUp scrolls');
	});

	it('shows what a run does, its time, what it received, and how to stop it, before the model', () => {
		const status: Status = {kind: 'running', asks: [], queue: [], step: 'tools', since: 1000};
		const activity = {text: 'Running npm test', short: 'Running', received: '1.2k tokens'};
		const at = (now: number, isStill = false) =>
			line({status, activity, isStill, hints: ['Esc to stop', 'Ctrl+C to cancel']}, 200, now);
		expect(at(13_200)).toBe(
			'▖ Running npm test · 12 s · 1.2k tokens · Esc to stop · Ctrl+C to cancel · ' +
				'claude-sonnet-5 · ~/work/inkpod · ask',
		);
		expect(at(1500)).toMatch(/^▖ Running npm test · Esc to stop · /);
		expect(at(126_000)).toContain(' · 2 min 5 s · ');
		expect(at(3_726_000)).toContain(' · 1 h 2 min · ');
		expect(at(13_200, true)).toMatch(/^● Running npm test · 12 s · /);
		expect(line({status, activity, hints: ['Esc to stop']}, 40, 13_200)).toBe(
			'▖ Running npm test · claude-sonnet-5',
		);
	});

	it.each([66, 80, 90, 120])('shows the time and what stops a long command in %i columns', columns => {
		const context = {tokens: 145_000, exact: true, window: 200_000, cost: {usd: 1, known: 1, unknown: 0}};
		const status: Status = {...idle, kind: 'running', step: 'tools', since: 0, context, approval: 'auto'};
		const activity = {text: `Running ${'x'.repeat(39)}…`, short: 'Running', received: '1.2k tokens'};
		const facts = {status, activity, hints: ['Esc to stop', 'Ctrl+C to cancel']};
		expect(line(facts, columns, 11_000)).toMatch(/^▗ Running x+… · 11 s · .*Esc to stop · claude-sonnet-5/);
	});

	it('shows no time while a question waits for you', () => {
		const ask = {id: 'q', title: 'Run it?', detail: '', choices: []};
		const status: Status = {kind: 'running', asks: [ask], queue: [], step: 'tools', since: 0};
		expect(line({status}, 200, 60_000)).toMatch(/^\? approval needed · claude-sonnet-5 /);
	});

	it('shows the parts that the user chose, in that order', () => {
		const context = {tokens: 12_345, exact: true, window: 200_000, cost: {usd: 1, known: 1, unknown: 0}};
		const status = {...idle, context, queue: [waiting('a')]};
		const facts = {status, hints: ['Ctrl+C quits', '? help'], notes: ['↓ 3 new']};
		expect(line({...facts, parts: ['directory', 'state', 'context', 'keys']})).toBe(
			'~/work/inkpod · ◦ idle · 12.3k tokens (6%) · Ctrl+C quits · ? help',
		);
		expect(line({...facts, parts: ['cost']})).toBe('◦ idle · $1.00');
		expect(line({...facts, parts: []})).toBe('◦ idle');
		expect(line({...facts, parts: statusPartNames})).toBe(line(facts));
	});

	it('always shows the mode in which nothing asks', () => {
		expect(line({status: {...idle, approval: 'auto'}, parts: ['model']})).toBe(
			'◦ idle · claude-sonnet-5 · auto-approve: not confined',
		);
	});

	it('shows hostile names inert', () => {
		const text = line({
			session: {...session, model: 'x/\x1b[2Jevil\n\u202e', scope: {...session.scope, pwd: '/tmp/\x1b]0;t\x07'}},
		});
		expect(text).toContain('· ␛[2Jevil␊⟨U+202E⟩ ·');
		expect(text).toContain('/tmp/␛]0;t␇');
	});
});

it('a path in the status line is truncated at its beginning to whole parts', () => {
	expect(shortPath('/home/ann', '/home/ann', 20)).toBe('~');
	expect(shortPath('/home/anna/x', '/home/ann', 20)).toBe('/home/anna/x');
	expect(shortPath('/home/ann/deep/er/and/deeper', '/home/ann', 14)).toBe('…/and/deeper');
	expect(shortPath('/averyverylongname', undefined, 8)).toBe('averyve…');
});

it('large numbers in the status line are abbreviated', () => {
	expect([0, 950, 1000, 12_345, 99_960, 145_400, 999_600, 1_234_567].map(formatCount)).toEqual([
		'0',
		'950',
		'1k',
		'12.3k',
		'100k',
		'145k',
		'1M',
		'1.2M',
	]);
});
