import type {parseScript as parse} from './wires/script.ts';

/** Reads the script of a scripted model. Most starts have no script, so its schema is loaded only now. */
export async function parseScript(text: string): Promise<ReturnType<typeof parse>> {
	const script = await import('./wires/script.ts');
	return script.parseScript(text);
}
