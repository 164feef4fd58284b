import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {narrowOrigin, type Segment} from '../../../../src/pod/protocol.ts';
import {failureSentences} from '../../../../src/pod/references/submission/failure.ts';
import {preflight, createRefsCache} from '../../../../src/pod/references/submission/preflight.ts';
import {resolveSubmission} from '../../../../src/pod/references/submission/submission.ts';
import type {Clock} from '../../../../src/worker/index.ts';
import {anywhere} from '../../../helpers/slugs.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

const long = process.env['INKPOD_TEST'] === 'long';

const files = {
	'a.md': 'one\ntwo\nthree\n',
	'empty.txt': '',
	'wide.txt': '日本語\n'.repeat(40),
	'long.txt': 'x'.repeat(300),
	'bin.png': Buffer.from([1, 0, 2]),
	'latin.txt': Buffer.from([0xe9, 0x20]),
	'.env': 'K=1\n',
	'sub/b.ts': 'export {};\n',
	'sub/c d.md': 'with a space',
	'sub/.env.local': 'K=2',
	'crlf.txt': 'a\r\nb\r\n',
	'日本.md': 'x',
	'hollow/': '',
	'../out.md': 'x',
};
const names = [
	...Object.keys(files),
	'sub',
	'sub/',
	'hollow',
	'./a.md',
	'link.md',
	'away.md',
	'loop',
	'gone.md',
	'./gone',
	'~/x.md',
	'/etc/hostname',
];
const range = fc.constantFrom(undefined, {first: 1}, {first: 2, last: 3}, {first: 2}, {first: 90}, {first: 3, last: 1});
const suffix = fc.constantFrom('', '', ':1', ':2-3', ':90', '#L2', ':3-1', '-x', '.');
const piece: fc.Arbitrary<Segment> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.tuple(fc.constantFrom(...names), suffix, fc.constantFrom('@', '＠', ' @"', '(@', 'x@')).map(
			([name, behind, mark]) =>
				({
					type: 'text',
					text: mark.endsWith('"') ? ` @"${name}"${behind} ` : ` ${mark}${name}${behind} `,
				}) as const,
		),
	},
	{
		weight: 2,
		arbitrary: fc
			.record({
				type: fc.constant('file_ref' as const),
				path: fc.constantFrom(...names),
				confirmed: fc.constantFrom('/nowhere', false),
			})
			.chain(ref => range.map(lines => ({...ref, ...(lines !== undefined && {range: lines})}))),
	},
	fc.constantFrom<Segment>(
		{type: 'text', text: '`'},
		{type: 'text', text: '\n```\n'},
		{type: 'text', text: ' some /review words '},
		{type: 'text', text: ':1'},
		{type: 'paste', id: '1', chars: 5, lines: 1, content: '@a.md'},
	),
);
const limits = fc.record({
	maxFiles: fc.constantFrom(1, 3, 5),
	maxBytes: fc.constantFrom(10, 100, 16_384),
	maxTotalBytes: fc.constantFrom(20, 150, 65_536),
	maxScanBytes: fc.constantFrom(250, 10_000_000),
});

describe('the preflight of a message', () => {
	it('agrees with what is sent', async () => {
		const project = await tempProject(files);
		await project.link('link.md', 'sub/b.ts');
		await project.link('away.md', '../out.md');
		await project.link('loop', 'loop');
		const clock: Clock = {id: () => 'id', now: () => 0};
		const workflows = {
			slugs: async () => anywhere('review'),
			invoke: async () => ({ok: true, drafts: []}) as const,
		};
		const cache = createRefsCache();
		await fc.assert(
			fc.asyncProperty(fc.array(piece, {minLength: 1, maxLength: 8}), limits, async (draft, caps) => {
				const {signal} = new AbortController();
				const said = await preflight(draft, {scope: project.scope, limits: caps, signal, workflows, cache});
				let id = 0;
				const done = await resolveSubmission(draft, {
					scope: project.scope,
					limits: caps,
					signal,
					workflows,
					clock: {...clock, id: () => String(id++)},
				});
				if (!done.ok) {
					expect([done.code === 'workflow' ? done.sentence : undefined]).toEqual([said.rejection]);
					return;
				}
				expect(said.rejection).toBeUndefined();
				const origin = narrowOrigin(done.user.origin);
				const segments = origin?.kind === 'submit' ? origin.segments : [];
				expect(said.segments).toEqual(
					segments.map(segment => {
						if (segment.type !== 'file_ref') return segment;
						const {outcome: _, ...ref} = segment;
						return ref;
					}),
				);
				const attached = done.attachments.map(({origin: from, text}) => {
					const {kind, bytes, totalBytes, lines, truncated} = from as unknown as Record<string, unknown>;
					return kind === 'file'
						? {kind, bytes, totalBytes, lines, truncated}
						: {
								kind,
								truncated,
								bytes: Buffer.byteLength(text) - Buffer.byteLength(text.split('\n', 1)[0]!) - 1,
							};
				});
				const forecast = said.refs.flatMap(ref => (ref.ok ? [ref] : []));
				expect(forecast).toHaveLength(attached.length);
				expect(forecast).toMatchObject(attached);
				expect(failureSentences(said.refs.filter(ref => !ref.ok))).toEqual(
					done.alerts.map(alert => alert.text),
				);
				const failed = new Set(
					segments.flatMap(segment =>
						segment.type === 'file_ref' && segment.outcome !== undefined && 'failed' in segment.outcome
							? [segment.outcome.failed]
							: [],
					),
				);
				expect(new Set(said.refs.flatMap(ref => (ref.ok ? [] : [ref.reason])))).toEqual(failed);
			}),
			{seed: 20260917, numRuns: long ? 5000 : 150},
		);
	});
});
