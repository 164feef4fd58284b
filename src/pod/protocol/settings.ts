/** Where the value of a setting comes from. */
export type SettingOrigin = 'default' | 'user' | 'project' | 'flag' | 'environment';

/** A setting with its value. Values of files and of the environment are untrusted text. */
export type SettingInfo = {
	/** The keys from the root of the file on. */
	readonly path: readonly string[];
	/** The same as a dotted key of TOML. */
	readonly key: string;
	/** The value in effect, as TOML or in words. It is that of `fallback` if it is absent. */
	readonly value?: string;
	readonly origin: SettingOrigin;
	/** The file, the option or the variable of the value. */
	readonly place?: string;
	/** The value in the user's config.toml, as TOML. */
	readonly own?: string;
	/** The possible values and the default, in words. */
	readonly type: string;
	readonly fallback: string;
	readonly about: string;
	/** When a change takes effect. */
	readonly when: 'now' | 'session' | 'start';
	/** Why the setting cannot be changed here. */
	readonly fixed?: string;
};
