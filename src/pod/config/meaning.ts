/**
What a schema says in its `.meta()` about the setting that it checks. The page, docs/settings.md and the JSON schema are
made from it by settings/all-settings.ts. The texts are plain English and are translated where they are shown, because
each start with a configuration loads them. Code in them is in backticks.
*/
export type Meaning = {
	readonly about?: string;
	/** The values, in words. By default what the schema says: `boolean`, `integer`, a range, or the choices. */
	readonly type?: string;
	/** What the numbers of the range are. */
	readonly unit?: string;
	/** The default, in words or as a value. By default `unset`, or `required` if the schema requires it. */
	readonly fallback?: string;
	/** The page of docs/ that says more. */
	readonly more?: string;
	/** The environment variable that has priority over the files. */
	readonly variable?: string;
	/** When a change takes effect, if that is not the next session. */
	readonly when?: 'now' | 'start';
	/** Whether the value may be a key, so that it is never shown. */
	readonly isSecret?: boolean;
};

declare module 'zod' {
	// An interface is what a module can extend.
	// oxlint-disable-next-line typescript/consistent-type-definitions, typescript/no-empty-object-type
	interface GlobalMeta extends Meaning {}
}
