import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {checkSession} from '../../../../src/cli/verify.ts';
import {historyFile} from '../../../../src/pod/disk/paths.ts';
import {partsOf} from '../../../../src/cli/export/parts.ts';
import {verifyRequests} from '../../../../src/pod/disk/check/verify-requests.ts';
import {verifySession} from '../../../../src/pod/disk/check/verify.ts';
import {forkSession} from '../../../../src/pod/disk/conversations/fork.ts';
import {readSession} from '../../../../src/pod/disk/log/read.ts';
import {redactSession, type RedactOptions} from '../../../../src/pod/disk/redact/redact-session.ts';
import {createRemover} from '../../../../src/pod/disk/redact/remover.ts';
import {systemClock, type Item} from '../../../../src/worker/index.ts';
import {projectRoot} from '../../../helpers/built.ts';
import {seededRandom} from '../../../helpers/random.ts';
import {python} from '../../../helpers/verifiers.ts';
import {createSecretSession, filesWith, models} from '../../../helpers/secret-session.ts';
import {call, long, result, storedSession, tempHome, user} from '../fixture.ts';

async function redact(dir: string, secret: string, more: Partial<RedactOptions> = {}) {
	const remover = createRemover('text', [secret]);
	const redacted = await redactSession(dir, {remover, isTrial: false, clock: systemClock(), ...more});
	if (!redacted.ok) throw new Error(redacted.sentence);
	return redacted;
}

/** Returns whether a session and its requests are sound, and the report about them. */
async function check(dir: string) {
	const read = await readSession(dir);
	if (!read.ok) throw new Error(read.sentence);
	const {ok, lines} = await checkSession(read.session, {requests: true, signing: {}});
	return {ok, report: lines.join('\n')};
}

/** Returns what the verifier says that was written from the documented format alone. */
function independent(dir: string): string {
	const verifier = join(projectRoot, 'integrations/verify/verify_record.py');
	return execFileSync(python ?? '', [verifier, historyFile(dir)], {encoding: 'utf8'});
}

function secretOf(seed: number): string {
	const random = seededRandom(seed);
	const letters = Array.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_+/"\\äß€😀 ');
	const length = 12 + Math.floor(random() * 30);
	return `k${Array.from({length}, () => letters[Math.floor(random() * letters.length)]).join('')}k`;
}

describe('the removal of a text from a session', () => {
	it('changes nothing else that a reader sees', async () => {
		const home = await tempHome();
		const secret = 'sk-0123456789';
		const {dir} = await storedSession(home, [
			[user('a', `Use ${secret}.`), call('b', 'c1'), {...result('c', 'c1'), content: `Said ${secret}.`} as Item],
			[user('d', 'Thanks.')],
		]);
		const shown = async () => {
			const read = await readSession(dir);
			if (!read.ok) throw new Error(read.sentence);
			return partsOf(read.session.items.filter(({type}) => type !== 'redaction'));
		};
		const before = JSON.stringify(await shown());
		await redact(dir, secret);
		expect(JSON.stringify(await shown())).toBe(before.replaceAll(secret, '[redacted: text, 13 bytes]'));
	});

	it('lets forks of the session verify, also those that end before the removal', async () => {
		const home = await tempHome();
		const secret = secretOf(1);
		const {dir, request} = await createSecretSession({...home, secret});
		await redact(dir, secret);
		for (const upTo of [undefined, request]) {
			const copying = {upTo, backupsOf: () => [], copyOutputs: async () => 0};
			const forked = await forkSession(dir, copying, systemClock());
			const read = forked.ok ? await readSession(forked.dir) : undefined;
			if (read?.ok !== true) throw new Error('not forked');
			const {different, redacted} = await verifyRequests(read.session.items);
			expect({different, redacted}).toEqual({
				different: 0,
				redacted: upTo === undefined ? expect.any(Number) : 1,
			});
			expect(verifySession(read.session).ok).toBe(true);
		}
	});

	const seeds = Array.from({length: long ? 40 : 5}, (_, seed) => seed);
	it.each(seeds)('leaves it nowhere, and the session verifies (seed %i)', {timeout: 60_000}, async seed => {
		const home = await tempHome();
		const secret = secretOf(seed);
		const {dir} = await createSecretSession({...home, secret, model: models[seed % models.length] ?? ''});
		const before = await check(dir);
		expect(before).toMatchObject({ok: true});
		expect((await filesWith(home.home, secret)).length).toBeGreaterThanOrEqual(14);
		const {found, sent} = await redact(dir, secret);
		expect(await filesWith(home.home, secret)).toEqual([]);
		const after = await check(dir);
		expect(after).toMatchObject({ok: true});
		expect(after.report).toContain('Redacted (text)');
		if (python !== undefined) expect(independent(dir)).toMatch(/intact, .*redacted, its text is not proven/);
		expect(found.length).toBeGreaterThanOrEqual(14);
		expect(sent.length).toBeGreaterThan(0);
	});
});
