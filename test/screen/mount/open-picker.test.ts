import {describe, expect, it} from 'vitest';
import {openedPicker as opened, pickerEntries as entries, pickerEntry as entry} from '../../helpers/opened-picker.ts';

describe('the trash of the picker', () => {
	it('takes the selected session with Ctrl+X, and Ctrl+R brings it back to its place', async () => {
		const picker = opened();
		await picker.shows('banana');
		picker.press('\x1b[B\x18');
		await picker.shows('In the trash. Ctrl+R brings it back.');
		expect(picker.screen.text()).not.toContain('banana');
		picker.press('\x12');
		await picker.shows('The session is back.');
		await picker.shows('banana');
		picker.press('\x12');
		await picker.shows('Nothing was moved to the trash here.');
		picker.press('\r');
		expect(await picker.result).toMatchObject({picked: {dir: expect.any(String) as string}});
	});

	it('says why a session stays', async () => {
		const picker = opened({remove: async () => ({ok: false, sentence: 'This session is open in process 1.'})});
		await picker.shows('banana');
		picker.press('\x18');
		await picker.shows('This session is open in process 1.');
		await picker.shows('banana');
		picker.press('\x1b');
		expect(await picker.result).toEqual({left: 'key'});
	});
});

describe('a fork in the picker', () => {
	it('follows its original with Ctrl+O, and Enter resumes it', async () => {
		const fork = entry('apple-fork', {words: 'apple', title: 'apple (fork)', forkOf: 'APPLE'});
		const picker = opened({fork: async () => ({ok: true, entry: fork, warnings: []})});
		await picker.shows('apple');
		picker.press('\x0f');
		await picker.shows('Forked. Enter resumes the fork; the original is unchanged.');
		await picker.shows(/❯ .*» apple \(fork\) *\n.* apple/);
		picker.press('\r');
		expect(await picker.result).toEqual({picked: fork});
	});

	it('is made once when the key repeats, and says what could not be copied', async () => {
		const answer = Promise.withResolvers<void>();
		let asked = 0;
		const picker = opened({
			async fork() {
				asked++;
				await answer.promise;
				return {ok: true, entry: entry('fork'), warnings: ['Some outputs are missing.']};
			},
		});
		await picker.shows('apple');
		picker.press('\x0f\x0f\x0f');
		answer.resolve();
		await picker.shows(/▲ Forked\.[^]*Some outputs are\s+missing\./);
		expect(asked).toBe(1);
		picker.press('\x1b');
		await picker.result;
	});

	it('says why there is none', async () => {
		const picker = opened();
		await picker.shows('apple');
		picker.press('\x0f');
		await picker.shows('▲ There is nothing to fork yet.');
		picker.press('\x1b');
		expect(await picker.result).toEqual({left: 'key'});
	});
});

describe('an export in the picker', () => {
	it('writes the file that you name, and asks before it replaces one', async () => {
		const asked: unknown[] = [];
		const picker = opened({
			async exportTo({id}, file, isReplacing) {
				asked.push([id, file, isReplacing]);
				return isReplacing
					? {ok: true, sentence: `Wrote ${file}, 1 KB.`}
					: {ok: false, exists: true, sentence: `${file} exists. Replace it with --force.`};
			},
		});
		await picker.shows('banana');
		picker.press('\x1b[B\x13');
		await picker.shows('File: inkpod-BANANA.md');
		picker.press('\x15notes.html\r');
		await picker.shows('▲ notes.html exists. Enter replaces it, Esc cancels.');
		picker.press('\r');
		await picker.shows('• Wrote notes.html, 1 KB.');
		await picker.shows('Resume session');
		expect(asked).toEqual([
			['BANANA', 'notes.html', false],
			['BANANA', 'notes.html', true],
		]);
		picker.press('\x1b');
		expect(await picker.result).toEqual({left: 'key'});
	});

	it('asks again for another name, and Esc returns to the list without a file', async () => {
		const replacing: boolean[] = [];
		const picker = opened({
			async exportTo(_, file, isReplacing) {
				replacing.push(isReplacing);
				return {ok: false, exists: true, sentence: file};
			},
		});
		await picker.shows('apple');
		picker.press('\x13');
		await picker.shows('File: ');
		picker.press('\x15a.md\r');
		await picker.shows('▲ a.md exists.');
		picker.press('\x7fd\x1b[B\r');
		await picker.shows('▲ a.md exists.');
		expect(replacing).toEqual([false, false]);
		picker.press('\x1b');
		await picker.shows('Resume session');
		picker.press('\r');
		expect(await picker.result).toEqual({picked: entries[0]});
	});

	it('keeps the name when nothing was written, so that you can correct it', async () => {
		const picker = opened();
		await picker.shows('apple');
		picker.press('\x13');
		await picker.shows('File: ');
		picker.press('\x15a.txt\r');
		await picker.shows('▲ Nothing is exported here.');
		await picker.shows('File: a.txt');
		picker.press('\x03');
		expect(await picker.result).toEqual({left: 'SIGINT'});
	});
});

describe('keys in the picker', () => {
	it('are all handled in order when they arrive in one read', async () => {
		const picker = opened();
		await picker.shows('cherry');
		picker.press('cherx\x7fry\r');
		expect(await picker.result).toEqual({picked: entries[2]});
	});

	it('edit the query at the caret, even between arrow keys', async () => {
		const picker = opened();
		for (const key of ['b', 'n', '\x1b[D', 'a', 'a👍', '\x7f']) picker.press(key);
		await picker.shows('❯ baan');
		picker.press('\x7f');
		await picker.shows(/❯ ban *\n❯ .*banana/);
		expect(picker.screen.cursor()).toMatchObject({row: 1, column: 4});
		picker.press('\x1b');
		expect(await picker.result).toEqual({left: 'key'});
	});

	it('that are pasted go to the query and choose nothing', async () => {
		const picker = opened();
		picker.press('\x1b[200~che\rry\r\x1b[201~');
		await picker.shows('❯ che ry');
		picker.press('\x03');
		expect(await picker.result).toEqual({left: 'SIGINT'});
	});
});

describe('the terminal of the picker', () => {
	it('sends a report about its focus right after Esc, and Esc still leaves', async () => {
		const picker = opened();
		await picker.shows('apple');
		picker.press('\x1b');
		picker.press('\x1b[I');
		expect(await picker.result).toEqual({left: 'key'});
	});

	it('is restored at the end', async () => {
		const picker = opened();
		await picker.shows('apple');
		expect(picker.stdin.raw).toBe(true);
		expect(picker.screen.isAlternate()).toBe(true);
		picker.press('\r');
		expect(await picker.result).toEqual({picked: entries[0]});
		// The chat that follows reads the keys that arrive in between.
		expect(picker.stdin.raw).toBe(true);
		await expect.poll(() => picker.screen.isAlternate()).toBe(false);
		expect(picker.stdin.listenerCount('data')).toBe(0);
		expect(picker.stdout.listenerCount('resize')).toBe(0);
	});

	it('ends the picker when it disappears, and its late errors have no effect', async () => {
		const picker = opened();
		picker.stdin.emit('error', new Error('EIO'));
		expect(await picker.result).toEqual({left: 'SIGHUP'});
		expect(() => picker.stdout.emit('error', new Error('EIO'))).not.toThrow();
		const other = opened();
		other.stdin.end();
		expect(await other.result).toEqual({left: 'SIGHUP'});
	});
});

describe('the preview of a session', () => {
	it('is requested when the selection rests, and dropped when it moves on', async () => {
		const picker = opened();
		await expect.poll(() => picker.looked.map(({dir}) => dir)).toEqual(['/s/apple']);
		picker.press('\x1b[B');
		await expect.poll(() => picker.looked.map(({dir}) => dir)).toEqual(['/s/apple', '/s/banana']);
		expect(picker.looked[0]!.signal.aborted).toBe(true);
		picker.looked[0]!.answer([{speaker: 'user', text: 'of the apple'}]);
		picker.looked[1]!.answer([{speaker: 'user', text: 'of the banana'}]);
		await picker.shows('of the banana');
		expect(picker.screen.text()).not.toContain('of the apple');
		picker.press('\x1b');
		await picker.result;
	});

	it('is aborted when you leave before it arrives', async () => {
		const picker = opened();
		await expect.poll(() => picker.looked).toHaveLength(1);
		picker.press('\x04');
		await picker.result;
		expect(picker.looked[0]!.signal.aborted).toBe(true);
	});

	it('is not requested on a small screen until it grows', async () => {
		const picker = opened({}, [80, 12]);
		await picker.shows('apple');
		picker.press('\x1b[B');
		await picker.shows(/❯ .*banana/);
		expect(picker.looked).toEqual([]);
		picker.screen.resize(80, 30);
		Object.assign(picker.stdout, {rows: 30}).emit('resize');
		await expect.poll(() => picker.looked.map(({dir}) => dir)).toEqual(['/s/banana']);
		picker.press('\x1b');
		await picker.result;
	});
});

describe('the facts of a session', () => {
	it('are read again when its process was killed, and while a process without a terminal has it open', async () => {
		const facts = {turns: 2, model: 'offline', interrupted: true} as const;
		const reads: string[] = [];
		let isKilled = false;
		const picker = opened({
			lists: {here: [entry('apple', {factsAreOld: true}), entry('banana', {factsAreOld: true})]},
			readLive: async () => new Map(isKilled ? [] : [['APPLE', 'needs_you']]),
			async readFacts({id}) {
				reads.push(id);
				return isKilled ? {facts} : {facts, isHeld: true};
			},
		});
		await picker.shows(/needs you .* apple/);
		await picker.shows(/running .* banana/);
		isKilled = true;
		await picker.shows(/interrupted .* apple .* 2 turns/);
		await picker.shows(/interrupted .* banana .* 2 turns/);
		expect(reads.slice(0, 2)).toEqual(['APPLE', 'BANANA']);
		expect(reads.slice(2).toSorted()).toEqual(['APPLE', 'BANANA']);
		picker.press('\x1b');
		await picker.result;
	});
});

describe('the list of all directories', () => {
	it('shows an error when it cannot be read, and the next Tab asks again', async () => {
		let asked = 0;
		const picker = opened({
			listAll: async () =>
				++asked === 1
					? {ok: false, sentence: 'Access is not permitted.'}
					: {ok: true, entries: [entry('zucchini')]},
		});
		picker.press('\t');
		await picker.shows('▲ Access is not permitted.');
		picker.press('\t');
		await picker.shows('zucchini');
		picker.press('\r');
		expect(await picker.result).toMatchObject({picked: {id: 'ZUCCHINI'}});
		expect(asked).toBe(2);
	});
});

it('a session that cannot be read shows its problem and cannot be picked', async () => {
	const picker = opened({lists: {here: [entry('broken', {problem: 'This is no history.'})]}});
	picker.press('\r');
	await picker.shows('▲ This is no history.');
	expect(picker.looked).toEqual([]);
	picker.press('\x1b');
	await picker.result;
});
