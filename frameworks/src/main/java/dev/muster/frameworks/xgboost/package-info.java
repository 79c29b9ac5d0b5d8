/** XGBoost's collective: a tracker beside the workers, who find it by the DMLC_ variables. */
package dev.muster.frameworks.xgboost;
