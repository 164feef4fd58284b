import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {openSession} from '../../src/pod/disk/log/open.ts';
import {historyFile} from '../../src/pod/disk/paths.ts';
import type {Session} from '../../src/pod/disk/log/log.ts';
import {verifyRequests} from '../../src/pod/disk/check/verify-requests.ts';
import {requestSettings, systemClock, type Answer, type Item} from '../../src/worker/index.ts';
import {dialectNames} from '../../src/worker/wires/dialects.ts';
import {loadModel} from '../../src/worker/wires/load.ts';
import {answering, opened} from '../helpers/conversation.ts';
import {tempProject, type TempProject} from '../helpers/temp-project.ts';
import {startServer} from '../helpers/wire-servers/index.ts';
import {specAt} from '../worker/wires/wire-model.ts';

const answers: readonly Answer[] = [
	[
		{type: 'reasoning', text: 'I think.'},
		{type: 'tool_call', callId: 'call:1', name: 'glob', arguments: {pattern: 'b.*'}},
	],
	[{type: 'text', text: 'Done.'}],
];

/** A session that inkpod 0.1.0 wrote, over each wire; its setups have no `rules`. */
async function oldSession(project: TempProject): Promise<Session> {
	const dir = join(project.dir, '..', 'old', '01M82NSR4Z9WR64SNXKTG9HM82');
	await mkdir(dir, {recursive: true});
	await writeFile(historyFile(dir), await readFile(join(import.meta.dirname, 'sessions/0.1.0/history.json')));
	const answer = await openSession(dir, systemClock());
	if (!answer.ok) throw new Error(answer.sentence);
	return answer.session;
}

describe('a session of 0.1.0', () => {
	it('has the same requests under the current rules', async () => {
		const session = await oldSession(await tempProject());
		const {items} = session;
		expect(setupsOf(items).map(({settings}) => settings['rules'])).toEqual(setupsOf(items).map(() => undefined));
		expect(setupsOf(items).map(({model}) => model.split('/')[0])).toEqual(expect.arrayContaining(wireProviders));
		expect(await verifyRequests(items)).toEqual({
			same: 10,
			different: 0,
			unsent: 0,
			unmade: 0,
			unchecked: 0,
			redacted: 0,
		});
		await session.close();
	});

	it.each(dialectNames)('gets a setup with the current rules when it continues in the %s dialect', async dialect => {
		const project = await tempProject({'a.ts': ''});
		await using server = await startServer('openai-compatible', answers, {dialect});
		const spec = specAt(dialect, server);
		const settings = requestSettings(spec);
		const pod = await answering(
			await opened(project, await loadModel(spec), await oldSession(project), {settings}),
		);
		if (pod.status().kind === 'paused') await pod.pod.send({method: 'cancel'});
		expect(await pod.run('And now?')).toEqual({accepted: true});
		await pod.rest();
		expect(server.refusals).toEqual([]);
		expect(setupsOf(pod.items()).at(-1)?.settings).toMatchObject({rules: 2, dialect});
		// Neither the configuration nor the key is needed.
		expect(await verifyRequests(pod.items())).toEqual({
			same: 12,
			different: 0,
			unsent: 0,
			unmade: 0,
			unchecked: 0,
			redacted: 0,
		});
	});
});

const wireProviders = ['anthropic', 'openai', 'google', 'openai-compatible'];

function setupsOf(items: readonly Item[]) {
	return items.filter(item => item.type === 'setup');
}
