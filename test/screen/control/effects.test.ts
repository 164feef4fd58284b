import {describe, expect, it} from 'vitest';
import {update} from '../../../src/screen/control/app.ts';
import {testApp} from '../../helpers/test-app.ts';

describe('the preload', () => {
	function watched() {
		const calls: string[] = [];
		const app = testApp({preload: {typed: () => calls.push('typed'), stop: () => calls.push('stop')}});
		return {app, calls};
	}

	it('continues when you type, but not when a program sets the message', () => {
		const {app, calls} = watched();
		update(app, {type: 'returned', segments: [{type: 'text', text: 'back'}]});
		app.dispatch({type: 'scroll', scroll: app.state.transcript.scroll});
		expect(calls).toEqual([]);
		update(app, {type: 'insert', text: 'x'});
		expect(calls).toEqual(['typed']);
	});

	it('stops when you leave the screen', () => {
		const {app, calls} = watched();
		app.dispatch({type: 'leave screen'});
		expect(calls).toEqual(['stop']);
	});
});
