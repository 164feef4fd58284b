/** A row of the reference of all settings. `<name>` in the key is a name that the user chooses. */
export type Setting = {
	readonly key: string;
	/** The files that may contain it: config.toml, a project's inkpod.toml, or both. */
	readonly files: 'user' | 'project' | 'both';
	/** The values, in words. Choices are listed in quotes. */
	readonly type: string;
	/** The default, in words or as a value. */
	readonly fallback: string;
	readonly about: string;
	/** The environment variable that has priority over the files. */
	readonly variable?: string;
};
