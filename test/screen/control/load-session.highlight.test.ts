import {describe, expect, it} from 'vitest';
import {layoutOf} from '../../../src/screen/view/layout.ts';
import {draw} from '../../../src/screen/mount/open-screen.ts';
import {connect} from '../../../src/screen/control/pod-events.ts';
import {loadHighlight} from '../../../src/screen/markdown/highlight.ts';
import {fakePod, idle} from '../../helpers/fake-app.ts';
import {createItems} from '../../helpers/items.ts';
import {testApp} from '../../helpers/test-app.ts';

describe('the transcript of a screen', () => {
	it('causes a new frame with its colours when the highlighter is loaded', async () => {
		const asked: string[] = [];
		const size = {columns: 60, rows: 20};
		const app = testApp({}, size, when => asked.push(when));
		await connect(app, fakePod(idle, [createItems().assistant('```ts\nconst a = 1;\n```')]));
		draw(app, size);
		asked.length = 0;
		await loadHighlight();
		expect(asked).toEqual(['soon']);
		const styles = layoutOf(app.state).transcript.rows.flatMap(({row}) => row.spans.map(({style}) => style));
		expect(styles).toContain('syntax.keyword');
	});
});
