import type {KnownSettings} from '../settings.ts';

/*
What the models of Google accept, by their names. The tables are those of @ai-sdk/google 4.0.121
(google-model-catalog.ts) and of the package that it uses (map-reasoning-to-provider.ts). The tables must not change,
because the requests of stored sessions depend on them.
*/

type Effort = NonNullable<KnownSettings['reasoning']>;

/** Gemma has no system role, so the system prompt is sent in the first message. */
export function isGemma(model: string): boolean {
	return /^gemma-/i.test(model);
}

/**
Tells whether a model is Gemini 3 or later: any Gemini model whose name is not that of an older model. These models
require a signature on a call.
*/
export function isGemini3(model: string): boolean {
	return /(^|[/.])gemini-/i.test(model) && !olderGemini.test(model);
}

const olderGemini = /(^|[/.])gemini-(?:1(?:[.-]|$)|2(?:[.-]|$)|pro(?:-vision)?$|robotics-er-1\.5(?:[.-]|$))/i;

/** How much a model may think: a level for Gemini 3 and later, and a number of tokens for older models. */
type Thinking = {readonly level: string} | {readonly budget: number};

export function thinkingOf(model: string, effort: Effort): Thinking {
	// @ai-sdk/google compares this name case-sensitively.
	if (isGemini3(model) && !model.includes('gemini-3-pro-image')) return {level: levelOf(model, effort)};
	const name = model.toLowerCase();
	const least = name.includes('2.5-pro') ? 128 : 0;
	const most = name.includes('2.5-pro') || name.includes('gemini-3-pro-image') ? 32_768 : 24_576;
	return {budget: Math.min(most, Math.max(least, Math.round(maxThinking * shares[effort])))};
}

/** The thinking budget of each effort is a share of this number of tokens. */
const maxThinking = 65_536;

const shares: Readonly<Record<Effort, number>> = {
	none: 0,
	minimal: 0.02,
	low: 0.1,
	medium: 0.3,
	high: 0.6,
	xhigh: 0.9,
	max: 0.95,
};

/**
Returns the highest level of the model that is not higher than the effort. If there is none, returns the model's lowest
level.
*/
function levelOf(model: string, effort: Effort): string {
	const levels = levelsOf(model);
	const [lowest] = levels;
	return levels.findLast(level => efforts.indexOf(level) <= efforts.indexOf(effort)) ?? lowest;
}

const efforts: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

type Levels = readonly [Effort, ...Effort[]];

function levelsOf(model: string): Levels {
	if (/(^|[/.])gemini-4-hydrogen(?:-|$)/i.test(model)) return ['low', 'medium', 'high', 'xhigh'];
	return hasMinimal(model) ? ['minimal', 'low', 'medium', 'high'] : ['low', 'medium', 'high'];
}

/**
Tells whether a model has the level `minimal`. Pro models from version 3 on and Flash models from 3.7 on lack this
level, but Flash-Lite models have it.
*/
function hasMinimal(model: string): boolean {
	const name = /(?:^|[/.])(gemini-[^/]*)$/i.exec(model)?.[1]?.toLowerCase() ?? '';
	if (name === 'gemini-flash-latest') return false;
	const pro = /^gemini-(\d+)(?:\.\d+)?-pro(?:$|-)/.exec(name);
	if (Number(pro?.[1]) >= 3) return false;
	const flash = /^gemini-(\d+)\.(\d+)-flash(?:$|-(?!lite(?:-|$)))/.exec(name);
	if (flash === null) return true;
	const [major, minor] = [Number(flash[1]), Number(flash[2])];
	return major < 3 || (major === 3 && minor < 7);
}
