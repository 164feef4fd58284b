import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, it, onTestFinished} from 'vitest';
import {ownersOf} from '../../../src/pod/scope/owners.ts';
import {storeFacts} from '../../../src/pod/session/facts.ts';
import {readLabel} from '../../../src/pod/session/label.ts';
import {createItems} from '../../helpers/items.ts';

it('the facts of a session are its turns, its model, its cost and its branch, beside its title', async () => {
	const dir = await mkdtemp(join(tmpdir(), 'inkpod-facts-'));
	onTestFinished(async () => rm(dir, {recursive: true}));
	await mkdir(join(dir, '.git'));
	await writeFile(join(dir, '.git/HEAD'), 'ref: refs/heads/topic\n');
	await writeFile(join(dir, 'label.json'), '{"title":"A title"}');
	const scope = {pwd: dir, owners: ownersOf({HOME: dir}, [])};
	const make = createItems();
	await storeFacts({dir, items: [make.user('one')], usd: 1, scope});
	expect(await readLabel(dir)).toEqual({title: 'A title'});
	const items = [make.setup(), make.user('one'), make.end(), make.user('two'), make.end('cancelled')];
	await storeFacts({dir, items, usd: 0.25, scope});
	const {model} = make.setup();
	expect(await readLabel(dir)).toEqual({title: 'A title', facts: {turns: 2, model, usd: 0.25, branch: 'topic'}});
	await storeFacts({dir: join(dir, 'missing'), items, usd: 0, scope});
	await writeFile(join(dir, 'label.json'), '{"title":7}');
	expect(await readLabel(dir)).toEqual({});
});
