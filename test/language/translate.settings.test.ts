import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, describe, expect, it, vi} from 'vitest';
import {projectRoot} from '../helpers/built.ts';

afterEach(() => {
	vi.unstubAllEnvs();
	vi.resetModules();
});

async function settingsIn(language: string) {
	vi.stubEnv('INKPOD_LANGUAGE', language);
	vi.resetModules();
	const {allSettings} = await import('../../src/pod/config/settings/all-settings.ts');
	return allSettings();
}

describe.each([
	['ja', ['秒、1〜86400', '1024 以上の整数', '真偽値']],
	['zh', ['秒，1 到 86400', '不小于 1024 的整数', '布尔值']],
])('the settings in %s', (language, types) => {
	it('have the translations of what their schema says', async () => {
		const catalogue: Record<string, string> = JSON.parse(
			readFileSync(join(projectRoot, `src/language/${language}.json`), 'utf8'),
		);
		const english = await settingsIn('en');
		const translated = await settingsIn(language);
		expect(translated.map(({about}) => about)).toEqual(english.map(({about}) => catalogue[about] ?? about));
		const typeOf = (key: string) => translated.find(setting => setting.key === key)?.type;
		expect(['model.stall_timeout', 'tools.max_output_bytes', 'screen.title'].map(typeOf)).toEqual(types);
	});
});
