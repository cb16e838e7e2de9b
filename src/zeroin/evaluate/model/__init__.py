"""The learned trees and the linear model: features → log odds."""
