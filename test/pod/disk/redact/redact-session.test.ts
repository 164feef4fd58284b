import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {checkSession} from '../../../../src/cli/verify.ts';
import {historyFile} from '../../../../src/pod/disk/paths.ts';
import {readSession} from '../../../../src/pod/disk/log/read.ts';
import {redactSession, type RedactOptions} from '../../../../src/pod/disk/redact/redact-session.ts';
import {createRemover} from '../../../../src/pod/disk/redact/remover.ts';
import {systemClock} from '../../../../src/worker/index.ts';
import {projectRoot} from '../../../helpers/built.ts';
import {seededRandom} from '../../../helpers/random.ts';
import {python} from '../../../helpers/verifiers.ts';
import {createSecretSession, filesWith, models} from '../../../helpers/secret-session.ts';
import {long, tempHome} from '../fixture.ts';

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
