import {readFileSync, statSync} from 'node:fs';
import {homedir} from 'node:os';
import {isAbsolute, join} from 'node:path';
import process from 'node:process';
import {parse, TomlError} from 'smol-toml';

/** The languages of the texts that a user reads. The texts that a model reads are always English. */
export const languages = ['en', 'ja', 'zh'] as const;

export type Language = (typeof languages)[number];

/** The maximum number of bytes of config.toml. inkpod refuses a larger file later (`fileBounds.config`). */
const maxBytes = 262_144;

/**
The language of this process. Modules may translate texts while they load, so this module must choose the language
before that. It must not use a top-level `await`: if two chunks of the build await each other, loading never ends, and
Node exits without a message.
*/
export const language: Language = chosenLanguage(process.env);

type Env = Readonly<Record<string, string | undefined>>;

/**
Returns INKPOD_LANGUAGE, or `[screen] language` of the user's configuration, or the language of the locale: LC_ALL,
LC_MESSAGES, LANG. Traditional Chinese is not translated, so its locales get English.
*/
export function chosenLanguage(env: Env): Language {
	return named(env['INKPOD_LANGUAGE']) ?? configured(env) ?? fromLocale(env);
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

/**
Parses the configuration only if it may name a language. inkpod reports errors in the configuration later, when it reads
the whole configuration.
*/
function configured(env: Env): Language | undefined {
	const text = readConfig(env);
	// In TOML, the name of the key may contain escapes.
	if (!text.includes('language') && !text.includes('\\')) return undefined;
	try {
		const {screen} = parse(text);
		return typeof screen === 'object' && 'language' in screen ? named(screen['language']) : undefined;
	} catch (error) {
		if (error instanceof TomlError) return undefined;
		throw error;
	}
}

function readConfig(env: Env): string {
	const [home, folder] = [env['HOME'], env['XDG_CONFIG_HOME']];
	try {
		// `homedir` throws if the system does not know the user.
		const own = home !== undefined && isAbsolute(home) ? home : homedir();
		const base = folder !== undefined && isAbsolute(folder) ? folder : join(own, '.config');
		const file = join(base, 'inkpod', 'config.toml');
		// Reading a FIFO could wait forever.
		const stats = statSync(file, {throwIfNoEntry: false});
		return stats?.isFile() === true && stats.size <= maxBytes ? readFileSync(file, 'utf8') : '';
	} catch (error) {
		if (error instanceof Error && 'code' in error) return '';
		throw error;
	}
}
