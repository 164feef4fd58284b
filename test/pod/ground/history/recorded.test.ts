import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {recordedIn} from '../../../../src/pod/ground/history/recorded.ts';
import {scriptedModel} from '../../../../src/worker/index.ts';
import {reopened, testPod, type TestPod} from '../../../helpers/pod.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

const model = scriptedModel(() => [{type: 'text', text: 'Yes.'}]);

async function say(told: TestPod, text: string): Promise<void> {
	expect(await told.run(text)).toEqual({accepted: true});
	await told.rest();
}

const modes = (told: TestPod) =>
	told.items().flatMap(item => {
		if (item.type !== 'mode') return [];
		const {id: _, at: _at, type: _type, ...mode} = item;
		return [mode];
	});

describe('what the user sets', () => {
	it('is recorded with the next turn, once, and not in a session with default values', async () => {
		const told = await testPod(await tempProject(), {model, mode: {}});
		await say(told, 'One');
		expect(modes(told)).toEqual([]);
		await told.pod.send({method: 'approval', mode: 'accept-edits'});
		await say(told, 'Two');
		await say(told, 'Three');
		expect(modes(told)).toEqual([{approval: 'accept-edits'}]);
		await told.pod.send({method: 'approval', mode: 'ask'});
		await say(told, 'Four');
		expect(modes(told)).toEqual([{approval: 'accept-edits'}, {}]);
	});

	it('is recorded soon when no turn runs, and the session that is opened again has it', async () => {
		const told = await testPod(await tempProject(), {model, mode: {}});
		await told.pod.send({method: 'approval', mode: 'plan'});
		await told.pod.send({method: 'approval', mode: 'ask'});
		await say(told, 'One');
		await told.pod.send({method: 'approval', mode: 'plan'});
		await told.pod.send({method: 'approval', mode: 'accept-edits'});
		await told.until(() => modes(told).length > 0);
		expect(modes(told)).toEqual([{approval: 'accept-edits'}]);
		await told.pod.send({method: 'shutdown'});
		expect(recordedIn((await reopened(told)).items).mode).toEqual({approval: 'accept-edits'});
	});

	it('is recorded when the session closes, also in a paused turn, and not if nothing was set', async () => {
		const project = await tempProject();
		const args = {path: 'a.txt', content: 'a'};
		const call = {type: 'tool_call', callId: '1', name: 'write_file', arguments: args} as const;
		const told = await testPod(project, {model: scriptedModel(() => [call]), mode: {}});
		expect(await told.run('One')).toEqual({accepted: true});
		await told.until(() => told.status().asks.length > 0);
		await told.pod.send({method: 'pause'});
		await told.until(() => told.status().kind === 'paused');
		await told.pod.send({method: 'approval', mode: 'accept-edits'});
		await told.pod.send({method: 'shutdown'});
		const again = await testPod(project, {model, mode: {approval: 'plan'}, session: await reopened(told)});
		expect(again.status().kind).toBe('paused');
		expect(modes(again)).toEqual([{approval: 'accept-edits'}]);
		await again.pod.send({method: 'shutdown'});
		expect(recordedIn((await reopened(again)).items).mode).toEqual({approval: 'accept-edits'});
	});

	it('includes the start, and the folders that the user adds', async () => {
		const project = await tempProject();
		const more = join(project.dir, '..', 'more');
		await mkdir(more);
		const told = await testPod(project, {model, mode: {readOnly: true, limits: {maxTurns: 4}}});
		expect(await told.pod.send({method: 'add_dir', path: more})).toEqual({accepted: true});
		await say(told, 'One');
		expect(modes(told)).toEqual([{readOnly: true, limits: {maxTurns: 4}, addDirs: [more]}]);
		expect(told.items().findIndex(({type}) => type === 'mode')).toBeGreaterThan(0);
	});

	it('is asked about again where it opens folders', async () => {
		const project = await tempProject();
		const more = join(project.dir, '..', 'more');
		await mkdir(more);
		const first = await testPod(project, {model, mode: {addDirs: [more]}});
		await say(first, 'One');
		await first.pod.send({method: 'shutdown'});
		const told = await testPod(project, {model, mode: {}, askedDirs: [more], session: await reopened(first)});
		await told.until(() => told.status().asks.length > 0);
		const [ask] = told.status().asks;
		expect(ask).toMatchObject({title: 'Let this session read these directories again?', detail: more});
		await told.pod.send({method: 'answer', askId: ask!.id, choice: 'add'});
		await told.until(events =>
			events.some(event => event.type === 'snapshot' && event.session.scope.readRoots.includes(more)),
		);
		await say(told, 'Two');
		expect(modes(told)).toEqual([{addDirs: [more]}]);
	});
});
