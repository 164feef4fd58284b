import {memo, type ReactElement} from 'react';
import {toolWords} from '../rows/tool.ts';
import {BlockRows, type BlockProps} from './block-rows.tsx';
import {isSameBlock} from './same-block.ts';

/** A call of a tool with its result. */
export const ToolBlock = memo(function ToolBlock({block, phase = 'waiting', rows, isContinued}: BlockProps<'tool'>): ReactElement {
	return <BlockRows rows={rows} isContinued={isContinued} label={() => ({title: toolWords(block, {phase, columns: spokenColumns})})} />;
}, isSameBlock);

/** How much of an argument is said: about what three rows of a screen show. */
const spokenColumns = 80;
