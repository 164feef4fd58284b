import type {Settings} from '../../history/item.ts';
import {rulesOf} from '../dialects.ts';
import {knownSettings, type KnownSettings} from '../settings.ts';
import {isClaude, messagesModel, type MessagesModel} from './messages-models.ts';
import {byRule, bySetting, type Tree} from './sourced.ts';

/** The fields of a body that come from the settings, in their order. */
type SettingFields = Readonly<
	Record<'max_tokens' | 'temperature' | 'top_p' | 'stop_sequences' | 'thinking' | 'output_config', Tree | undefined>
>;

/**
Returns the fields of a body that come from the settings of a request. Leaves out everything that this model would
refuse.
*/
export function settingFields(model: string, settings: Settings): SettingFields {
	const facts = messagesModel(model);
	const known = knownSettings(settings);
	const {thinking, effort} = thinkingOf(known.reasoning, facts);
	const isThinking = thinking !== undefined && thinking.type !== 'disabled';
	const {temperature, topP} = facts.hasSampling && !isThinking ? known : {};
	return {
		max_tokens: outputLimit(model, settings, thinking?.budget_tokens ?? 0),
		temperature: given('temperature', temperature && Math.min(1, Math.max(0, temperature))),
		// Claude refuses a request with both temperature and top_p.
		top_p: given('topP', isClaude(model) && temperature !== undefined ? undefined : topP),
		stop_sequences: given('stop', known.stop),
		thinking: given('reasoning', thinking),
		output_config: effort && {effort: given('reasoning', effort)},
	};
}

function given(key: keyof KnownSettings, value: unknown): Tree | undefined {
	return value === undefined ? undefined : bySetting(key, value);
}

type Thinking =
	| {readonly type: 'adaptive'; readonly display: 'summarized'; readonly budget_tokens?: never}
	| {readonly type: 'enabled'; readonly budget_tokens: number}
	| {readonly type: 'disabled' | 'between_tools'; readonly budget_tokens?: never};

/** The fields of a body that say how much the model should think. */
type Asked = {readonly thinking?: Thinking; readonly effort?: string};

function thinkingOf(reasoning: KnownSettings['reasoning'], facts: MessagesModel): Asked {
	if (reasoning === undefined) return {};
	if (reasoning === 'none')
		return facts.leastThinking === 'low_effort' ? {effort: 'low'} : {thinking: {type: facts.leastThinking}};
	const {maxOutputTokens} = facts;
	if (facts.thinking === 'budget') {
		const tokens = Math.round(maxOutputTokens * budgetShares[reasoning]);
		return {thinking: {type: 'enabled', budget_tokens: Math.min(maxOutputTokens, Math.max(minBudget, tokens))}};
	}
	const effort = reasoning === 'xhigh' && !facts.hasXhigh ? 'high' : efforts[reasoning];
	return {thinking: {type: 'adaptive', display: 'summarized'}, effort};
}

/** The names of the effort levels (platform.claude.com/docs/en/build-with-claude/effort). */
const efforts = {minimal: 'low', low: 'low', medium: 'medium', high: 'high', xhigh: 'xhigh', max: 'max'} as const;

/**
The thinking budget of each effort, as a share of the output limit. The values are those of `@ai-sdk/provider-utils`
5.0.81.
*/
const budgetShares = {minimal: 0.02, low: 0.1, medium: 0.3, high: 0.6, xhigh: 0.9, max: 0.95} as const;

/** The API refuses a smaller budget (platform.claude.com/docs/en/build-with-claude/extended-thinking). */
const minBudget = 1024;

/** Returns the output limit, which the API requires. The tokens of a thinking budget are added to the limit. */
function outputLimit(model: string, settings: Settings, budget: number): Tree {
	const facts = messagesModel(model);
	const {maxOutputTokens: own} = knownSettings(settings);
	const usual = isClaude(model) || rulesOf(settings) < 2 ? facts.maxOutputTokens : otherLimit;
	const most = facts.isKnown ? facts.maxOutputTokens : Infinity;
	const limit = Math.min(most, (own ?? usual) + budget);
	if (own !== undefined) return bySetting('maxOutputTokens', limit);
	return limit === usual ? byRule('output_limit', limit) : bySetting('reasoning', limit);
}

/** The output limit for models of other companies. Every model that such servers offer has a higher maximum. */
const otherLimit = 32_000;
