import {paletteOf} from '../../screen/spans/palettes.ts';

/** Returns the style sheet of an exported page. Its colours are those of the themes `light` and `dark`. */
export function styleOf(): string {
	const names = Object.keys(paletteOf('light', undefined).colours).filter(
		name => name !== 'added' && name !== 'removed',
	);
	const light = `--ground:#fff;--text:#1f2328;--soft:#f6f8fa;--edge:#d1d9e0;${variables('light')}`;
	const dark = `--ground:#1e1e1e;--text:#dcdfe4;--soft:#282a2e;--edge:#43474e;${variables('dark')}`;
	return [
		`:root{color-scheme:light dark;${light}}`,
		`@media(prefers-color-scheme:dark){:root{${dark}}}`,
		...names.map(name => `.c-${name}{color:var(--${name})}`),
		rules,
	].join('\n');
}

function variables(theme: 'light' | 'dark'): string {
	return Object.entries(paletteOf(theme, undefined).colours)
		.map(([name, colour]) => `--${name}:${colour}`)
		.join(';');
}

const rules = `
.c-added{background:color-mix(in srgb,var(--added) 22%,transparent)}
.c-removed{background:color-mix(in srgb,var(--removed) 20%,transparent)}
*{box-sizing:border-box}
body{font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
body{background:var(--ground);color:var(--text)}
body{max-width:52rem;margin:2.5rem auto 4rem;padding:0 1.25rem;overflow-wrap:anywhere}
h1{font-size:1.6rem;line-height:1.3;margin:0}
header{border-bottom:1px solid var(--edge);padding-bottom:1rem;margin-bottom:1.5rem}
.about{color:var(--muted);margin:.4rem 0 0;font-size:.9rem}
h2{font-size:.85rem;margin:0 0 .25rem;color:var(--muted);font-weight:600}
.user h2{color:var(--user)}
.label{font-size:.8rem;color:var(--muted);margin:.6rem 0 .2rem}
section{content-visibility:auto;contain-intrinsic-size:auto 5rem;margin:1.1rem 0}
section.user{background:var(--soft);border-left:3px solid var(--user);border-radius:0 .4rem .4rem 0;padding:.7rem 1rem}
section.tool,section.system,section.notice,section.thinking,section.child,section.usage{margin:.3rem 0}
section.rewound{opacity:.55}
section.usage p{margin:0;color:var(--muted);font-size:.8rem}
section>p{margin:0;color:var(--muted);font-size:.85rem}
details{border:1px solid var(--edge);border-radius:.4rem;padding:.3rem .8rem}
details[open]{padding-bottom:.6rem}
summary{cursor:pointer;font-size:.85rem;color:var(--muted)}
footer{border-top:1px solid var(--edge);margin-top:2.5rem;padding-top:1rem}
footer details{margin:.4rem 0}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:.4rem 0;font-size:.85rem}
dt{color:var(--muted)}dd{margin:0}
pre,code,dd{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
pre{font-size:.85rem;line-height:1.5;white-space:pre-wrap;background:var(--soft);border-radius:.4rem}
pre{padding:.6rem .8rem;margin:.3rem 0}
.user pre{font:inherit;background:none;padding:0;margin:0}
.prose{white-space:pre-wrap}
.prose>:first-child{margin-top:0}.prose>:last-child{margin-bottom:0}
.prose p,.prose ul,.prose ol,.prose blockquote,.prose .wide{margin:.7rem 0}
.prose li>p,.prose li>ul,.prose li>ol{margin:.15rem 0}
.prose ul,.prose ol{padding-left:1.6rem}
.prose ul+ul,.prose ol+ol{margin-top:-.7rem}
.prose h3,.prose h4,.prose h5,.prose h6{color:var(--heading);line-height:1.3;margin:1.3rem 0 .5rem}
.prose h3{font-size:1.35rem}.prose h4{font-size:1.15rem}.prose h5{font-size:1rem}.prose h6{font-size:.9rem}
.prose code{color:var(--code);font-size:.9em}
.prose .info{font-size:.75rem;color:var(--muted);margin:.7rem 0 -.2rem}
.prose blockquote{border-left:3px solid var(--edge);padding-left:1rem;margin-left:0;color:var(--muted)}
.prose a{color:inherit}
.prose hr{border:0;border-top:1px solid var(--edge);margin:1.2rem 0}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:.92rem}
th,td{border:1px solid var(--edge);padding:.3rem .7rem;text-align:left;vertical-align:top}
th{background:var(--soft)}.right{text-align:right}.center{text-align:center}
img{max-width:100%;height:auto;max-height:40rem;object-fit:contain;object-position:left}
@media print{details{border:0}section{content-visibility:visible}}
`.trim();
