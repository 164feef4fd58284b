import {describe, expect, it} from 'vitest';
import {looksLikeKey} from '../../../../src/worker/wires/http/key-forms.ts';

describe('a part of a URL path', () => {
	it.each([
		'sk-ant-api03-FAKEFAKEFAKEFAKE',
		'sk-0123456789abcdef0123456789abcdef',
		'hf_abcdefghijklmnopqrstu',
		'sk%2Dproj%2DabcdefghijklmnopQR',
		'0123456789abcdef',
		'a1b2c3d4e5f6a7b8',
		'AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEf',
		'9f8b7c6d-1a2b-3c4d-5e6f-708192a3b4c5',
		'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ',
		'Xk3_9aQ-2bZ7_cD-4eF_8gH1-Ij',
		'key=short1',
		'api-key:short1',
		'token=abc',
	])('looks like a key: %s', text => {
		expect(looksLikeKey(text)).toBe(true);
	});

	it.each([
		'',
		'v1',
		'v1beta',
		'api',
		'openai',
		'compatible-mode',
		'deployments',
		'gpt-4o-mini-2024-07-18',
		'claude-3-5-sonnet-v2-20241022-v1',
		'Azure-OpenAI-GPT4-Deployment',
		'eu-west-1',
		'chat.completions',
		'accounts',
		'123456789012',
		'my%20model',
		'monkey',
		'keyboard',
		'%E0%A4%A',
	])('does not look like a key: %s', text => {
		expect(looksLikeKey(text)).toBe(false);
	});
});
