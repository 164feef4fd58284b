import {expect, it} from 'vitest';
import {shortModel} from '../../../../src/screen/view/status/activity-facts.ts';

it.each([
	['anthropic/claude-sonnet-5', 'claude-sonnet-5'],
	['openrouter/qwen/qwen3:8b', 'qwen3:8b'],
	['offline', 'offline'],
	['x/\u001b[2Jy', '␛[2Jy'],
])('the short name of the model %j is %s', (name, short) => {
	expect(shortModel(name)).toBe(short);
});
