import {expect, it} from 'vitest';
import {fakeApp, fakePod, idle, until} from '../../helpers/fake-app.ts';
import {createItems} from '../../helpers/items.ts';

it('the last 500 prompts of a long session can be recalled', async () => {
	const make = createItems();
	const items = Array.from({length: 700}, (_, turn) => [
		make.user(`question ${turn}`),
		make.assistant('an answer'),
		make.request(),
		make.end(),
	]).flat();
	const {app} = await fakeApp(fakePod(idle, items));
	await until(() => app.state.composer.history.entries.length > 0);
	expect(app.state.composer.history.entries).toHaveLength(500);
	expect(app.state.composer.history.entries.at(-1)).toMatchObject([{text: 'question 699'}]);
});
