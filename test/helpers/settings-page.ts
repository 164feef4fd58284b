import type {Setting} from '../../src/pod/config/settings/all-settings.ts';

/** Returns docs/settings.md with the tables of the settings. Everything else on the page is written by hand. */
export function withTables(page: string, settings: readonly Setting[]): string {
	const [intro = '', ...sections] = page.split(/^(?=## )/m);
	const written = sections.map(section => {
		const [, group = ''] = /^## (.*)/.exec(section) ?? [];
		const rows = settings.filter(setting => setting.group === group).map(row);
		return section.replace(/(?:^\|.*\n)+/m, () => [...head, ...rows].map(line => `${line}\n`).join(''));
	});
	return [intro, ...written].join('');
}

const head = ['| key | type | default | files | meaning |', '|---|---|---|---|---|'];
const files = {user: 'config.toml', project: 'inkpod.toml', both: 'config.toml, inkpod.toml'} as const;

function row({key, type, fallback, files: where, about, more}: Setting): string {
	const meaning = more === undefined ? about : `${about} ([more](${more}))`;
	return `| ${[`\`${key}\``, code(type), code(fallback), files[where], meaning].join(' | ')} |`;
}

/** Values are code: what is in quotes, numbers, and those of TOML. */
function code(text: string): string {
	if (text.startsWith('"')) return text.replaceAll(/"[^"]*"/g, '`$&`');
	return /^(?:true|false|\[\]|[\d.]+)$/.test(text) ? `\`${text}\`` : text;
}
