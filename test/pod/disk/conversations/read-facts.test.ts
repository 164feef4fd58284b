import {stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {listSessions} from '../../../../src/pod/disk/list/list.ts';
import {openSession} from '../../../../src/pod/disk/log/open.ts';
import {readFacts} from '../../../../src/pod/disk/conversations/read-facts.ts';
import {projectDir} from '../../../../src/pod/disk/paths.ts';
import {systemClock, type Item} from '../../../../src/worker/index.ts';
import {createItems} from '../../../helpers/items.ts';
import {historyOf, sessionOfBytes, storedSession, tempHome} from '../fixture.ts';

const {signal} = new AbortController();

/** The items of a session that was killed in its second turn. */
function killed(): readonly Item[] {
	const make = createItems();
	return [make.setup(), make.user('one'), make.request(), make.end(), make.user('two'), make.sent()];
}

describe('the facts of a killed session', () => {
	it('are read from its history, with what was stored before', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [killed()]);
		const {model} = createItems().setup();
		expect(await readFacts(dir, signal)).toEqual({facts: {turns: 2, model, interrupted: true}});
		await writeFile(
			join(dir, 'label.json'),
			'{"facts":{"turns":1,"model":"m","usd":3,"branch":"topic","bytes":9}}',
		);
		expect(await readFacts(dir, signal)).toEqual({
			facts: {turns: 2, model, interrupted: true, usd: 3, branch: 'topic'},
		});
		expect(await listSessions(projectDir(home.root, home.cwd))).toMatchObject([
			{facts: {turns: 1, model: 'm', usd: 3, branch: 'topic'}, factsAreOld: true},
		]);
	});

	it('have the cost of its requests by the catalogue', async () => {
		const home = await tempHome();
		const items = killed().map(item => (item.type === 'request' ? {...item, model: 'openai/gpt-5'} : item));
		const {dir} = await storedSession(home, [items]);
		expect((await readFacts(dir, signal)).facts?.usd).toBeGreaterThan(0);
	});

	it('tell that a process has it open', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [killed()]);
		const opened = await openSession(dir, systemClock());
		expect(await readFacts(dir, signal)).toMatchObject({facts: {interrupted: true}, isHeld: true});
		if (opened.ok) await opened.session.close();
		expect(await readFacts(dir, signal)).not.toHaveProperty('isHeld');
	});

	it('are the stored ones for an unreadable history, an aborted read and a history without turns', async () => {
		const home = await tempHome();
		const {dir, path} = await sessionOfBytes(home, historyOf(killed()));
		await writeFile(join(dir, 'label.json'), '{"facts":{"turns":1,"model":"m","bytes":9}}');
		const stored = {facts: {turns: 1, model: 'm'}};
		await writeFile(path, 'no history\n');
		expect(await readFacts(dir, signal)).toEqual(stored);
		expect(await readFacts(join(dir, 'gone'), signal)).toEqual({});
		await writeFile(path, historyOf(killed()));
		expect(await readFacts(dir, AbortSignal.abort())).toEqual(stored);
	});

	it('skip damaged lines and an unfinished end', async () => {
		const home = await tempHome();
		const bytes = historyOf(killed());
		const {dir} = await sessionOfBytes(home, bytes.subarray(0, bytes.length - 30));
		expect((await readFacts(dir, signal)).facts).toMatchObject({turns: 2, interrupted: true});
	});

	it('of a large history come from its end', async () => {
		const home = await tempHome();
		const make = createItems();
		const large = Array.from({length: 36}, () => make.system('x'.repeat(1_000_000)));
		const {dir} = await storedSession(home, [[make.setup(), ...large, make.user('one'), make.sent()]]);
		expect(await readFacts(dir, signal)).toEqual({});
		await writeFile(join(dir, 'label.json'), '{"facts":{"turns":7,"model":"m","bytes":9}}');
		expect(await readFacts(dir, signal)).toEqual({facts: {turns: 7, model: 'm', interrupted: true}});
	});
});

it('the facts of a closed session count as current', async () => {
	const home = await tempHome();
	const {dir, path} = await storedSession(home, [killed()]);
	const {size} = await stat(path);
	await writeFile(join(dir, 'label.json'), `{"facts":{"turns":2,"model":"m","interrupted":true,"bytes":${size}}}`);
	const [listed] = await listSessions(projectDir(home.root, home.cwd));
	expect(listed).toMatchObject({facts: {turns: 2, model: 'm', interrupted: true}});
	expect(listed).not.toHaveProperty('factsAreOld');
	expect(listed?.facts).not.toHaveProperty('bytes');
});
