import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {saveSetting} from '../../../src/commands/settings/settings.ts';
import {tempProject} from '../../helpers/temp-project.ts';

it('the chat saves a theme in the configuration of the user', async () => {
	const {dir} = await tempProject();
	expect(await saveSetting({XDG_CONFIG_HOME: dir, HOME: dir}, ['screen', 'theme'], 'dark')).toBeUndefined();
	expect(await readFile(join(dir, 'inkpod/config.toml'), 'utf8')).toBe('[screen]\ntheme = "dark"\n');
});
