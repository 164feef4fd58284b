import {t} from '../../../language/index.ts';

/** The texts of the settings page. */
export const configTexts = {
	title: t`Settings`,
	useDefault: (fallback: string) => t`empty: ${fallback} (default)`,
	unavailable: t`The settings cannot be changed here.`,
	origins: {
		default: t`default`,
		user: t`yours`,
		project: t`project`,
		flag: t`option`,
		environment: t`environment`,
	},
	countOf: (count: number, total: number) => (count === total ? `${total}` : t`${count} of ${total}`),
	facts: (type: string, fallback: string) => t`${type} · default: ${fallback}`,
	from: (place: string) => t`set by ${place}`,
	when: {
		now: t`a change takes effect at once`,
		session: t`a change takes effect in the next session (/new)`,
		start: t`a change takes effect at the next start`,
	},
	hints: [t`Esc close`, t`Enter change`],
	editHints: [t`Esc cancel`, t`Enter save`],
	/** The hint for a setting with a fixed list of values. */
	choose: t`←→ choose`,
	/** `place` is the file, option or environment variable with priority. */
	overridden: (key: string, place: string) => t`${key} is saved, but ${place} overrides it.`,
	saved(key: string, when: 'now' | 'session' | 'start') {
		if (when === 'now') return t`${key} is saved.`;
		return when === 'start'
			? t`${key} is saved. It takes effect at the next start.`
			: t`${key} is saved. It takes effect in the next session (/new).`;
	},
} as const;
