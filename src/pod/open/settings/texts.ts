import {t, tCount} from '../../../language/index.ts';

/** The texts about the values of settings. */
export const settingTexts = {
	hidden: t`(not shown)`,
	mayBeKey: t`This may contain a key, so it is not shown. Edit it in the file.`,
	entries: (count: number) => tCount(count, 'entry', 'entries'),
	inList: t`Edit this list in the file.`,
	ofProject: t`Only a project's inkpod.toml sets this.`,
	ofServer: t`This terminal is attached to a session elsewhere. Change this setting where the session runs.`,
	listType: t`list of tables`,
	empty: t`none`,
	rules: t`rules about tools: what is allowed, asked and denied; /permissions lists all of them`,
	hooks: t`your commands that run before or after something happens`,
};
