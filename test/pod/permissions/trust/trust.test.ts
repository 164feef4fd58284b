import {getEventListeners} from 'node:events';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {trustDetail} from '../../../../src/pod/permissions/trust/store.ts';
import {openTrustStore} from '../../../../src/pod/permissions/trust/store.ts';
import {createTrust, type TrustQuestion} from '../../../../src/pod/permissions/trust/trust.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

const subject = {kind: 'workflow', name: 'w'};
const claim = (text: string) => ({subject, title: 'Trust it?', contents: [{name: 'w.md', text}]});
const idle = new AbortController().signal;

describe('createTrust', () => {
	it('asks once about the same contents', async () => {
		const project = await tempProject();
		const asked: TrustQuestion[] = [];
		const {promise, resolve} = Promise.withResolvers<{readonly choice: string}>();
		const trust = createTrust({
			store: async () => openTrustStore({HOME: join(project.dir, '../home')}, project.dir),
			acceptPresent: false,
			onProblem() {},
			async ask(question) {
				asked.push(question);
				return promise;
			},
		});
		const both = [trust.check(claim('a'), idle), trust.check(claim('a'), idle)];
		resolve({choice: 'trust'});
		expect(await Promise.all(both)).toEqual(['trusted', 'trusted']);
		expect(asked).toEqual([
			{
				title: 'Trust it?',
				detail: 'w.md:\na',
				choices: [
					{choice: 'trust', label: 'Yes, trust it'},
					{choice: 'deny', label: 'No', refuses: true},
				],
			},
		]);
	});

	it('accepts the present contents for this run only, and no later changes', async () => {
		const project = await tempProject();
		const store = async () => openTrustStore({HOME: join(project.dir, '../home')}, project.dir);
		const trust = createTrust({store, acceptPresent: true, onProblem() {}});
		expect(await trust.check(claim('a'), idle)).toBe('trusted');
		expect(await trust.check(claim('a'), idle)).toBe('trusted');
		expect(await trust.check(claim('b'), idle)).toBe('unattended');
		expect(await (await store()).read(subject)).toBeUndefined();
	});

	it('leaves no listener on the signal of a run', async () => {
		const store = async () => ({read: async () => undefined, write: async () => undefined});
		const trust = createTrust({store, acceptPresent: true, onProblem() {}});
		const {signal} = new AbortController();
		await trust.check(claim('a'), signal);
		await trust.checkAll([claim('b')], String, signal);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});

	it('applies to the session, with one report per answer, if it cannot be saved', async () => {
		const project = await tempProject();
		const troubles: string[] = [];
		let questions = 0;
		const trust = createTrust({
			store: async () => ({read: async () => undefined, write: async () => 'Not kept.'}),
			acceptPresent: false,
			onProblem: sentence => void troubles.push(sentence),
			async ask() {
				questions++;
				return {choice: 'trust'};
			},
		});
		expect([await trust.check(claim('a'), idle), await trust.check(claim('a'), idle)]).toEqual([
			'trusted',
			'trusted',
		]);
		expect([questions, troubles, project.dir !== '']).toEqual([1, ['Not kept.'], true]);
	});

	it('ends as aborted before and during the question', async () => {
		const trust = createTrust({
			store: async () => ({read: async () => undefined, write: async () => undefined}),
			acceptPresent: false,
			onProblem() {},
			ask: async () => undefined,
		});
		expect(await trust.check(claim('a'), AbortSignal.abort())).toBe('aborted');
		expect(await trust.check(claim('a'), idle)).toBe('aborted');
	});

	it('shows a change as a diff, and names new, removed and unchanged contents', async () => {
		const lines = Array.from({length: 20}, (_, index) => `line ${index}`);
		const before = [
			{name: 'w.md', text: `${lines.join('\n')}\n`},
			{name: 'same.md', text: 'x'},
			{name: 'gone.md', text: 'x'},
		];
		const after = [
			{name: 'w.md', text: `${lines.with(10, 'LINE').join('\n')}\n`},
			{name: 'same.md', text: 'x'},
			{name: 'new.md', text: 'new\n'},
		];
		expect(await trustDetail(after, before)).toBe(
			[
				'Changes since you trusted it:',
				'w.md:\n@@ -8,7 +8,7 @@\n line 7\n line 8\n line 9\n-line 10\n+LINE\n line 11\n line 12\n line 13',
				'same.md: unchanged',
				'new.md (new):\nnew',
				'gone.md: removed',
			].join('\n\n'),
		);
	});

	it('shows changed lines that look like the header of a diff', async () => {
		const detail = await trustDetail([{name: 'w', text: '++ b\n===\n'}], [{name: 'w', text: '-- a\n'}]);
		expect(detail).toContain('--- a\n+++ b\n+===');
	});

	it('shows the whole new text if the texts are too different', async () => {
		const many = (seed: number) =>
			Array.from({length: 40_000}, (_, index) => String((index * seed) % 40_009)).join('\n');
		const detail = await trustDetail([{name: 'w', text: many(7)}], [{name: 'w', text: many(13)}]);
		expect(detail).toContain('w has too many changes to list. It is now:\n0\n7\n14');
	});
});
