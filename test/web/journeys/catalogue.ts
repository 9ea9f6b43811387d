import { startSimulatedEngine } from '#harness/simulated-engine';
import type { House } from '../house.ts';
import { assertAccessible } from '../accessible.ts';

/** What operators serve. */
export const catalogueJourneys = {
  'an operator adds an engine and a model, tries them, changes and removes them': async (house: House) => {
    const simulated = await startSimulatedEngine({ flavour: 'vllm', models: ['org/delta'] });
    const context = await house.visitSignedIn();
    const page = await context.newPage();
    await page.goto('/administration/models');
    await page.getByText('What cannot be changed here').first().waitFor();

    await page.getByRole('button', { name: 'Add engine' }).click();
    const newEngine = page.getByRole('dialog', { name: 'Add engine' });
    await newEngine.getByRole('textbox', { name: 'Name' }).fill('pocket');
    await newEngine.getByRole('textbox', { name: 'Address' }).fill('somewhere');
    await newEngine.getByRole('button', { name: 'Add', exact: true }).click();
    await newEngine.getByText('This name is taken').waitFor();
    await newEngine.getByRole('textbox', { name: 'Name' }).fill('gpu-7');
    await newEngine.getByRole('button', { name: 'Add', exact: true }).click();
    await newEngine.getByText('Write an address that begins with http').waitFor();
    await assertAccessible(page, 'a new engine with a mistake');
    await newEngine.getByRole('textbox', { name: 'Address' }).fill(simulated.url);
    await newEngine.getByLabel('Credential').fill('a secret');
    await newEngine.getByRole('button', { name: 'Add', exact: true }).click();
    await newEngine.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Add model' }).click();
    const newModel = page.getByRole('dialog', { name: 'Add model' });
    await newModel.getByRole('textbox', { name: 'Model id' }).fill('delta-70b');
    await newModel.getByRole('checkbox', { name: 'gpu-7' }).check();
    await newModel.getByRole('textbox', { name: 'Name at gpu-7' }).fill('org/delta');
    await newModel.getByRole('checkbox', { name: 'Calls tools' }).check();
    await assertAccessible(page, 'a new model');
    await newModel.getByRole('button', { name: 'Add', exact: true }).click();
    await newModel.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Test gpu-7' }).click();
    const trial = page.getByRole('dialog', { name: 'Test gpu-7' });
    await trial.getByRole('button', { name: 'Ask' }).click();
    await trial.getByText(/^Answered in/).waitFor();
    await trial.getByRole('button', { name: 'Close' }).click();

    await page.getByRole('button', { name: 'Change gpu-7' }).click();
    const changed = page.getByRole('dialog', { name: 'Change gpu-7' });
    await changed.getByText('One is kept').waitFor();
    await changed.getByRole('textbox', { name: 'Requests at once' }).fill('17');
    await changed.getByRole('button', { name: 'Save' }).click();
    await page.getByText('17 at once').waitFor();
    await assertAccessible(page, 'models and engines');

    await page.getByRole('button', { name: 'Remove gpu-7' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('A model is still served by it').waitFor();
    for (const name of ['delta-70b', 'gpu-7']) {
      await page.getByRole('button', { name: `Remove ${name}` }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('button', { name: `Remove ${name}` }).waitFor({ state: 'detached' });
    }
    await context.close();
    await simulated.stop();
  },
};
