import {readFileSync} from 'node:fs';
import {homedir} from 'node:os';
import {isAbsolute, join} from 'node:path';
import process from 'node:process';

/** The languages of the texts that a user reads. What a model reads is always English. */
export const languages = ['en', 'ja', 'zh'] as const;

export type Language = (typeof languages)[number];

/**
The language of this process. A text may be read when its module is loaded, so the language is known before: this
module waits for nothing but the user's configuration, and only if that names a language.
*/
export const language: Language = await chosenLanguage(process.env);

type Env = Readonly<Record<string, string | undefined>>;

/**
Returns INKPOD_LANGUAGE, or `[screen] language` of the user's configuration, or the language of the locale: LC_ALL,
LC_MESSAGES, LANG. Traditional Chinese is not translated, so its locales get English.
*/
export async function chosenLanguage(env: Env): Promise<Language> {
	return named(env['INKPOD_LANGUAGE']) ?? (await configured(env)) ?? fromLocale(env);
}

function named(value: unknown): Language | undefined {
	return languages.find(language => language === value);
}

function fromLocale(env: Env): Language {
	const locale = [env['LC_ALL'], env['LC_MESSAGES'], env['LANG']].find(value => value !== undefined && value !== '');
	const [name = ''] = (locale ?? '').toLowerCase().split(/[.@]/, 1);
	if (/^zh[_-](?:tw|hk|mo|hant)/.test(name)) return 'en';
	return named(/^[a-z]+/.exec(name)?.[0]) ?? 'en';
}

/** Reads the configuration only as far as needed. Its faults are reported where the rest of it is read. */
async function configured(env: Env): Promise<Language | undefined> {
	const text = readConfig(env);
	if (!/^\s*(?:screen\.)?language\s*=/m.test(text)) return undefined;
	const {parse} = await import('smol-toml');
	try {
		const {screen} = parse(text);
		return typeof screen === 'object' && 'language' in screen ? named(screen['language']) : undefined;
	} catch {
		return undefined;
	}
}

function readConfig(env: Env): string {
	const [home, folder] = [env['HOME'], env['XDG_CONFIG_HOME']];
	try {
		// A user who is not in the list of users has no home folder, and `homedir` throws.
		const own = home !== undefined && isAbsolute(home) ? home : homedir();
		const base = folder !== undefined && isAbsolute(folder) ? folder : join(own, '.config');
		return readFileSync(join(base, 'inkpod', 'config.toml'), 'utf8').slice(0, 1_000_000);
	} catch {
		return '';
	}
}
